// Checks that the open gate of a file shows a person what the stored call would do. The two can differ only in an edited file.
import type { Gate, StoredCall } from "../schema/gate.ts";
import { formatArguments } from "../tools/redaction/escape-hidden.ts";
import { shortenShown } from "../turn/commit/fit-state.ts";

export type BlobTexts = ReadonlyMap<string, string>;

export function showsItsCall(gate: Gate | null, blobs: BlobTexts): boolean {
  if (gate?.kind === "doubt") return gate.text.startsWith(`${gate.call.name} `);
  // If the gate has no text for the arguments, clients show the arguments themselves.
  if (gate?.kind !== "confirmation" || gate.shown === "") return true;
  const args = argumentsOf(gate.call, blobs);
  // If the arguments are missing, the call cannot be approved, so the gate is harmless.
  if (args === null) return true;
  const shown = formatArguments(args);
  return gate.shown === shown || gate.shown === shortenShown(shown);
}

function argumentsOf(call: StoredCall, blobs: BlobTexts): Record<string, unknown> | null {
  if (call.arguments) return call.arguments;
  const text = blobs.get(call.arguments_blob ?? "");
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
}
