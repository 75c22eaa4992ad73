import { expect, test } from "vitest";
import type { Gate } from "../../src/schema/gate.ts";
import { showsItsCall } from "../../src/threads/import-thread.ts";
import { formatArguments } from "../../src/tools/redaction/escape-hidden.ts";
import { shortenShown } from "../../src/turn/commit/fit-state.ts";

const long = { path: "a.txt", text: "\u202eabc ".repeat(2_000) };
const blobs = new Map([["h", JSON.stringify(long)]]);
const confirmation = (shown: string, args: object | null, arguments_blob: string | null = null) =>
  ({ kind: "confirmation", shown, call: { name: "write_file", arguments: args, arguments_blob } }) as unknown as Gate;
const doubt = (text: string) => ({ kind: "doubt", text, call: { name: "write_file" } }) as unknown as Gate;

test.each<[string, Gate | null, boolean]>([
  ["no gate", null, true],
  ["what the runtime shows", confirmation(formatArguments({ path: "a.txt" }), { path: "a.txt" }), true],
  ["what the runtime shows of a long call", confirmation(formatArguments(long), null, "h"), true],
  ["what it shows in a full state", confirmation(shortenShown(formatArguments(long)), null, "h"), true],
  ["nothing, so that clients show the arguments", confirmation("", { path: "a.txt" }), true],
  ["arguments that are gone, so that nobody can approve", confirmation("{}", null, "gone"), true],
  ["another path", confirmation(formatArguments({ path: "b.txt" }), { path: "a.txt" }), false],
  ["a long call under a short text", confirmation('{ "path": "a.txt" }', null, "h"), false],
  ["only that more is not shown", confirmation(shortenShown("{"), null, "h"), false],
  ["a field less", confirmation(formatArguments({ path: "a.txt" }), { path: "a.txt", force: true }), false],
  ["a doubt about the call", doubt("write_file was begun at noon and nobody knows whether it happened."), true],
  ["a doubt about another call", doubt("look was begun at noon and nobody knows whether it happened."), false],
])("%s", (_, gate, shows) => {
  expect(showsItsCall(gate, blobs)).toBe(shows);
});
