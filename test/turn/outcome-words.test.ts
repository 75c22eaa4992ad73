// Tests the words for the end of a run and the result of a call: a refusal is not completed, and a rejected call did
// not fail.
import { expect, test } from "vitest";
import { callTool } from "../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { createWriteTool, look } from "../support/tools.ts";

const abort = { action: "abort", abort: { user_message: "I cannot help with that." } };
const answer = (gate: unknown, decision: "approve" | "reject") => {
  const { id, digest } = gate as { id: string; digest: string };
  return { type: "confirm" as const, gate_id: id, digest, decision };
};

test.each(["plan", "direct"] as const)("a refusal ends the run as aborted, in mode %s", async (mode) => {
  const thread = await createTestThread(createTestRuntime([abort], [look]), { goal: "Break in", mode });
  const { outcome } = unwrap(await thread.turn());
  expect(outcome).toMatchObject({
    kind: "delivered",
    thread: { state: "rest", outcome: "aborted", evidence: "none", evidence_kind: "none" },
    turn: { speak: "I cannot help with that." },
  });
});

test("an aborted run says what it had changed before", async () => {
  const rt = createTestRuntime([callTool("write", { line: "a" }), abort], [createWriteTool([], { confirm: false })]);
  const thread = await createTestThread(rt, { goal: "Write two lines", mode: "direct" });
  unwrap(await thread.turn());
  const { outcome } = unwrap(await thread.turn());
  expect(outcome.thread).toMatchObject({ outcome: "aborted", evidence: "none", evidence_kind: "written" });
  expect(outcome.turn?.speak).toMatch(
    /^I cannot help with that\.\n\nChanged before the run stopped:\n- write: .* \(rcp_\w+\)$/,
  );
});

test("a rejected call is rejected, in its receipt and in the prompt; a call that failed is not", async () => {
  const failing = createWriteTool([], { confirm: false, name: "break" });
  const script = [callTool("write", { line: "a" }), callTool("break", { line: "forbidden" }), abort];
  const rt = createTestRuntime(script, [createWriteTool([]), failing]);
  const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
  const gate = unwrap(await thread.turn()).outcome.thread.gate;
  const rejected = unwrap(await thread.turn(answer(gate, "reject"))).outcome;
  expect(rejected.turn?.receipts).toMatchObject([{ name: "write", success: false, rejected: true }]);
  const failed = unwrap(await thread.turn()).outcome;
  expect(failed.turn?.receipts.at(-1)).toMatchObject({ name: "break", success: false });
  expect(failed.turn?.receipts.at(-1)).not.toHaveProperty("rejected");
  unwrap(await thread.turn());
  const [record = "", state = ""] = (rt.model.requests.at(-1)?.messages ?? []).slice(2).map(({ content }) => content);
  expect(record).toMatch(/of="write" receipt="\w+" result="rejected"/);
  expect(record).toMatch(/of="break" receipt="\w+" result="failed"/);
  expect(state).toMatch(/- call \w+ by write, rejected, turn 2/);
  expect(state).toMatch(/- write \w+ by break, failed, turn 3/);
});

test("a run that ends after a rejected change says that it was not made", async () => {
  const script = [
    callTool("write", { line: "a" }),
    { action: "ask_user", speak: "What then?" },
    { action: "done", goal_check: "the user wants nothing", delivery: "All settled." },
  ];
  const thread = await createTestThread(createTestRuntime(script, [createWriteTool([])]), {
    goal: "Go",
    mode: "direct",
  });
  const gate = unwrap(await thread.turn()).outcome.thread.gate;
  unwrap(await thread.turn(answer(gate, "reject")));
  unwrap(await thread.turn());
  const { outcome } = unwrap(await thread.turn({ type: "message", text: "Nothing." }));
  const notes =
    "Note: the only receipts are your own replies.\nNote: a change failed or was rejected, and was not made.";
  expect(outcome.turn?.speak).toBe(`All settled.\n\n${notes}`);
  expect(outcome.thread).toMatchObject({ outcome: "completed", evidence: "none", evidence_kind: "replied" });
});
