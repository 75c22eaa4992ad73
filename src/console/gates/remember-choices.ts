// Returns the choices for remembering an approval, as options of a select and fields of the input.
import type { ConfirmationGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { t } from "../messages/messages.ts";

type RememberFields = Pick<Extract<TurnInput, { type: "confirm" }>, "remember" | "prefix">;
export type RememberChoice = { readonly id: string; readonly label: string; readonly fields: RememberFields };

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
