// Builds the part of an entry that says which gate its record closed.
import type { Gate } from "../../schema/gate.ts";
import type { Entry } from "../../schema/record.ts";

export const closedGateEntry = (gate: Gate, how: string, text: string | null = null): Pick<Entry, "closed_gate"> => ({
  closed_gate: { id: gate.id, kind: gate.kind, how, text },
});
