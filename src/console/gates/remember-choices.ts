// What a person may choose about remembering an approval, as values for a select and fields of the input.
import type { ConfirmationGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";

type RememberFields = Pick<Extract<TurnInput, { type: "confirm" }>, "remember" | "prefix">;
export type RememberChoice = { readonly id: string; readonly label: string; readonly fields: RememberFields };

const ONCE: RememberChoice = { id: "once", label: "Only this time", fields: {} };
const SCOPES = [
  { remember: "run", until: "in this run" },
  { remember: "thread", until: "in this thread" },
] as const;

/** Approving once comes first, so it is what nobody has to choose. */
export function rememberChoices({ remember: option }: Pick<ConfirmationGate, "remember">): readonly RememberChoice[] {
  if (!option) return [ONCE];
  const exact = SCOPES.map(({ remember, until }) => ({
    id: `exact-${remember}`,
    label: `The same call again ${until}`,
    fields: { remember },
  }));
  const prefix = option.words?.slice(0, 2) ?? [];
  if (prefix.length < 2) return [ONCE, ...exact];
  const alike = SCOPES.map(({ remember, until }) => ({
    id: `prefix-${remember}`,
    label: `Commands that begin with “${prefix.join(" ")}” ${until}`,
    fields: { remember, prefix },
  }));
  return [ONCE, ...exact, ...alike];
}
