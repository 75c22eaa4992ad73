// Approves or rejects a call. It shows the exact arguments and a preview of the changes, and lets the user edit the
// arguments.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { ConfirmationGate } from "../../schema/gate.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { countHidden, visibleJson } from "../parts/reveal-hidden.ts";
import { isFirstClick } from "./approve-guard.ts";
import { type EditedArguments, parseEditedArguments } from "./edited-arguments.ts";
import { GateArguments } from "./gate-arguments.tsx";
import type { GateProps } from "./gate-props.ts";
import { Preview } from "./preview.tsx";
import { RejectForm } from "./reject-form.tsx";
import { type RememberChoice, rememberChoices } from "./remember-choices.ts";

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
  const confirm = (decision: "approve" | "reject", reason = ""): void =>
    void session.send({
      type: "confirm",
      gate_id: gate.id,
      digest: gate.digest,
      decision,
      ...(decision === "approve" && edited.kind === "changed" ? { edited_arguments: edited.arguments } : {}),
      ...(decision === "approve" && edited.kind === "same" ? remember : {}),
      ...(reason ? { reason } : {}),
    });
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
        <RememberField key="remember" choices={choices} chosen={chosen} onChoose={setChosen} />
      ) : null}
      <div class="gate-actions row">
        <button
          key="approve"
          data-approve="true"
          title={t().gates.approveKeys}
          type="button"
          class="button primary"
          disabled={edited.kind === "invalid"}
          onClick={(event: MouseEvent) => isFirstClick(event) && confirm("approve")}
        >
          {edited.kind === "changed" ? t().gates.approveChanged : t().gates.approve}
        </button>
        <button
          key="edit"
          type="button"
          class="button"
          onClick={() => setText(text === null ? visibleJson(proposed) : null)}
        >
          {text === null ? t().gates.edit : t().gates.discard}
        </button>
        <RejectForm
          key="reject"
          gate={gate}
          session={session}
          hint={t().gates.callHint}
          onReject={(reason) => confirm("reject", reason)}
        />
      </div>
    </div>
  );
};

type RememberProps = {
  readonly choices: readonly RememberChoice[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

const RememberField: FC<RememberProps> = ({ choices, chosen, onChoose }) => (
  <label class="field">
    <span>{t().gates.remember}</span>
    <select name="remember" onChange={(event: Event) => onChoose((event.target as HTMLSelectElement).value)}>
      {choices.map(({ id, label }) => (
        <option key={id} value={id} selected={id === chosen}>
          {label}
        </option>
      ))}
    </select>
  </label>
);

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
        onInput={(event: Event) => onText((event.target as HTMLTextAreaElement).value)}
      >
        {initialText}
      </textarea>
      <span id="arguments-note" class={isInvalid ? "field-error" : "quiet small"}>
        {isInvalid ? edited.message : edited.kind === "changed" ? t().gates.bothRecorded : t().gates.noChanges}
      </span>
    </label>
  );
};
