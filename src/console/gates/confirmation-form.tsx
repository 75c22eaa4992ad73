// Approves or rejects a call: its exact arguments, which can be edited, and a preview of the changes.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { ConfirmationGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { inputValue } from "../parts/events.ts";
import { SelectField } from "../parts/fields.tsx";
import { countHidden, visibleJson } from "../parts/reveal-hidden.ts";
import { DecisionButtons } from "./decision-buttons.tsx";
import { type EditedArguments, parseEditedArguments } from "./edited-arguments.ts";
import { GateArguments } from "./gate-arguments.tsx";
import type { GateProps } from "./gate-props.ts";
import { Preview } from "./preview.tsx";

export const ConfirmationForm: FC<GateProps<ConfirmationGate>> = ({ gate, session }) => {
  const proposed = gate.call.arguments ?? {};
  const [text, setText] = useState<string | null>(null);
  const { editedGate } = useStore(session.view);
  useLayoutEffect(() => {
    if (editedGate !== gate.id) return;
    setText(visibleJson(proposed));
    session.view.set({ editedGate: null });
  }, [editedGate]);
  const choices = rememberChoices(gate);
  const [chosen, setChosen] = useState("once");
  const remember = choices.find(({ id }) => id === chosen)?.fields ?? {};
  const edited: EditedArguments = text === null ? { kind: "same" } : parseEditedArguments(text, proposed);
  const approval = edited.kind === "changed" ? { edited_arguments: edited.arguments } : remember;
  return (
    <div class="contents">
      <CallSummary gate={gate} />
      <Preview
        session={session}
        tool={gate.call.name}
        edited={edited}
        text={edited.kind === "same" ? gate.preview : null}
      />
      {text === null ? (
        <GateArguments key="shown" value={proposed} digest={gate.digest} />
      ) : (
        <ArgumentsField key="edit" text={text} edited={edited} onText={setText} />
      )}
      {choices.length > 1 && edited.kind === "same" ? (
        <SelectField
          key="remember"
          label={t().gates.remember}
          name="remember"
          value={chosen}
          options={choices.map(({ id, label }) => [id, label] as const)}
          onValue={setChosen}
        />
      ) : null}
      <DecisionButtons
        key="decision"
        gate={gate}
        session={session}
        label={edited.kind === "changed" ? t().gates.approveChanged : t().gates.approve}
        hint={t().gates.callHint}
        approval={approval}
        disabled={edited.kind === "invalid"}
      >
        <Button key="edit" onClick={() => setText(text === null ? visibleJson(proposed) : null)}>
          {text === null ? t().gates.edit : t().gates.discard}
        </Button>
      </DecisionButtons>
    </div>
  );
};

const CallSummary: FC<{ gate: ConfirmationGate }> = ({ gate }) => {
  const hidden = countHidden(gate.call.arguments);
  return (
    <>
      <p class="call-name">
        <code>{gate.call.name}</code>
        <span class="quiet small">
          {gate.reasons.map(({ code, text }) => `${t().gates.reason(code, text)} `)}
          {gate.call.effect === "unkeyed" ? t().gates.unsafeRetry : t().gates.safeRetry}
        </span>
      </p>
      {hidden > 0 ? (
        <p class="warning" role="note">
          {t().gates.hiddenCharacters(hidden)}
        </p>
      ) : null}
    </>
  );
};

const ArgumentsField: FC<{ text: string; edited: EditedArguments; onText: (text: string) => void }> = (props) => {
  const { text, edited, onText } = props;
  const [initialText] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  // Brings the field into view, because it replaces a list that may be below the visible part of a long card.
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.scrollIntoView({ block: "center" });
  }, []);
  const isInvalid = edited.kind === "invalid";
  return (
    <label class="field">
      <span>{t().gates.argumentsField}</span>
      <textarea
        ref={field}
        class="mono"
        name="arguments"
        rows={Math.min(14, initialText.split("\n").length + 1)}
        spellcheck={false}
        aria-invalid={isInvalid ? "true" : "false"}
        aria-describedby="arguments-note"
        onInput={(event: Event) => onText(inputValue(event))}
      >
        {initialText}
      </textarea>
      <span id="arguments-note" class={isInvalid ? "field-error" : "quiet small"}>
        {isInvalid ? edited.message : edited.kind === "changed" ? t().gates.bothRecorded : t().gates.noChanges}
      </span>
    </label>
  );
};

type RememberFields = Pick<Extract<TurnInput, { type: "confirm" }>, "remember" | "prefix">;
type RememberChoice = { readonly id: string; readonly label: string; readonly fields: RememberFields };

const SCOPES = ["run", "thread"] as const;

/** Approving once comes first, so that it is the default. */
export function rememberChoices({ remember: option }: Pick<ConfirmationGate, "remember">): readonly RememberChoice[] {
  const once: RememberChoice = { id: "once", label: t().gates.onlyThisTime, fields: {} };
  if (!option) return [once];
  const exact = SCOPES.map((remember) => ({
    id: `exact-${remember}`,
    label: t().gates.sameCall[remember],
    fields: { remember },
  }));
  const prefix = option.words?.slice(0, 2) ?? [];
  if (prefix.length < 2) return [once, ...exact];
  const alike = SCOPES.map((remember) => ({
    id: `prefix-${remember}`,
    label: t().gates.commands[remember](prefix.join(" ")),
    fields: { remember, prefix },
  }));
  return [once, ...exact, ...alike];
}
