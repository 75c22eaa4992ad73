// Whether the open gate of a file tells a person what the stored call would do. Only a file that somebody wrote can say otherwise.
import type { Gate, StoredCall } from "../schema/gate.ts";
import { formatArguments } from "../tools/redaction/escape-hidden.ts";
import { shortenShown } from "../turn/commit/fit-state.ts";

export type BlobTexts = ReadonlyMap<string, string>;

export function showsItsCall(gate: Gate | null, blobs: BlobTexts): boolean {
  if (gate?.kind === "doubt") return gate.text.startsWith(`${gate.call.name} `);
  // Without a text of their own, the arguments themselves are shown.
  if (gate?.kind !== "confirmation" || gate.shown === "") return true;
  const args = argumentsOf(gate.call, blobs);
  // Without its arguments, the call cannot be approved.
  if (args === null) return true;
  const shown = formatArguments(args);
  return gate.shown === shown || gate.shown === shortenShown(shown);
}

function argumentsOf(call: StoredCall, blobs: BlobTexts): Record<string, unknown> | null {
  if (call.arguments) return call.arguments;
  const text = blobs.get(call.arguments_blob ?? "");
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
}
