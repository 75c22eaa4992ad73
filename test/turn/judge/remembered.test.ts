import { describe, expect, test } from "vitest";
import { RememberedApproval } from "../../../src/schema/gate.ts";
import { coveringApproval } from "../../../src/turn/judge/remembered.ts";
import type { ConfirmationReason, PreparedCall } from "../../../src/turn/judge/ruling.ts";
import { createWriteTool } from "../../support/tools.ts";

const { manifest } = createWriteTool([], { name: "run" });
const DIGEST = "a".repeat(64);
const call: PreparedCall = {
  name: "run",
  manifest,
  disabled: null,
  nearest: [],
  arguments: {},
  arguments_digest: DIGEST,
  proposed_digest: null,
  refusal: null,
  access: null,
  finishes_step: false,
  asks: [],
  command: { words: ["git", "commit", "-m", "a"], folder: "." },
};
const reason: ConfirmationReason = { code: "risk", text: "Writes.", kinds: ["write"], prefix: true };
const approval = (change: Partial<RememberedApproval> = {}): RememberedApproval =>
  RememberedApproval.parse({
    id: "apr_01kjps0mdf001drvbvv0fn8g41",
    tool: "run",
    manifest_version: manifest.version,
    match: { kind: "prefix", words: ["git", "commit"], folder: "." },
    shown: "git commit",
    reasons: ["risk:write"],
    remember: "run",
    run: 1,
    gate_id: "gat_01kjps0mdf001drvbvv0fn8g41",
    actor: "ann",
    at: "2026-03-02T08:00:00.000Z",
    ...change,
  });
const covers = (
  change: Partial<RememberedApproval> = {},
  {
    run = 1,
    taint = null as string | null,
    ...more
  }: { run?: number; taint?: string | null } & Partial<PreparedCall> = {},
  reasons: readonly ConfirmationReason[] = [reason],
): boolean =>
  coveringApproval({ approvals: [approval(change)], run, taint } as never, { ...call, ...more }, reasons) !== null;

describe("a remembered approval", () => {
  test("covers a command that begins alike, and the exact call", () => {
    expect(covers()).toBe(true);
    expect(covers({ match: { kind: "exact", arguments_digest: DIGEST } })).toBe(true);
  });

  test.each<[string, () => boolean]>([
    ["another tool", () => covers({ tool: "other" })],
    ["another version of its tool", () => covers({ manifest_version: "0" })],
    ["another run", () => covers({}, { run: 2 })],
    ["a command in another folder", () => covers({}, { command: { words: ["git", "commit"], folder: "sub" } })],
    ["a command that begins otherwise", () => covers({}, { command: { words: ["git", "push"], folder: "." } })],
    ["a command that is not simple", () => covers({}, { command: null })],
    ["a thread that has read untrusted text", () => covers({}, { taint: "rcp_1" })],
    ["other arguments", () => covers({ match: { kind: "exact", arguments_digest: "b".repeat(64) } })],
    ["a reason that the person did not see", () => covers({}, {}, [reason, { ...reason, kinds: ["network"] }])],
    ["a call that must be approved each time", () => covers({}, {}, [{ ...reason, once: true }])],
    ["a reason that says nothing about similar commands", () => covers({}, {}, [{ ...reason, prefix: false }])],
  ])("does not cover %s", (_what, isCovered) => {
    expect(isCovered()).toBe(false);
  });

  test("for the thread covers the next run, and an exact one also after untrusted text", () => {
    expect(covers({ remember: "thread" }, { run: 2 })).toBe(true);
    expect(covers({ match: { kind: "exact", arguments_digest: DIGEST } }, { taint: "rcp_1" })).toBe(true);
  });
});
