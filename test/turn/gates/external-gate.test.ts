// Tests tools that run in the client: their call opens a gate, and the result is sent as an input.
import { describe, expect, test } from "vitest";
import { type ExternalGate, isLeased } from "../../../src/schema/gate.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import type { ClientTool } from "../../../src/schema/protocols/client-tool.ts";
import { ClientTools } from "../../../src/schema/protocols/client-tool.ts";
import { createThread } from "../../../src/threads/create.ts";
import { exportThread } from "../../../src/threads/export-thread.ts";
import { forkThread } from "../../../src/threads/fork.ts";
import { createRedactor, redactionHooks } from "../../../src/tools/redaction/redact.ts";
import { callTool, done } from "../../support/decisions.ts";
import { attachTestThread, createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { createWriteTool } from "../../support/tools.ts";

const PICK: ClientTool = {
  name: "pick_color",
  client_name: "pickColor",
  description: "Lets the user pick a color.",
  input: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
};
const CALL = callTool("pick_color", { title: "Wall" });

async function waiting(tool: ClientTool = PICK, more: readonly unknown[] = [done]) {
  const rt = createTestRuntime([CALL, ...(more as [typeof CALL])], [createWriteTool([])]);
  const thread = await createTestThread(rt, { goal: "Paint", mode: "direct", client_tools: [tool] });
  const { gate, outcome } = await openGate(thread);
  return { rt, thread, gate, outcome };
}

async function openGate(thread: Awaited<ReturnType<typeof createTestThread>>) {
  const { outcome } = unwrap(await thread.turn());
  const { gate } = outcome.thread;
  if (gate?.kind !== "external") throw new Error(`no external gate: ${gate?.kind}`);
  return { gate, outcome };
}

const resultOf = ({ id, digest }: ExternalGate, output: unknown = "blue") =>
  ({ type: "tool_result", gate_id: id, digest, output }) as const;

describe("a call of a declared tool", () => {
  test("opens a gate with its arguments, and nothing runs here", async () => {
    const { gate, outcome, rt } = await waiting();
    expect(outcome.next).toBe("tool_result");
    expect(gate).toMatchObject({ client_name: "pickColor", lease: null, call: { arguments: { title: "Wall" } } });
    expect(Date.parse(gate.expires_at ?? "")).toBe(rt.clock.now() + 86_400_000);
    expect(outcome.thread.state).toBe("confirm");
  });

  test("with arguments that do not match its schema is refused to the model", async () => {
    const rt = createTestRuntime([callTool("pick_color", { title: 7 })]);
    const thread = await createTestThread(rt, { goal: "Paint", mode: "direct", client_tools: [PICK] });
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.thread.gate).toBeNull();
    expect(outcome.turn?.observation?.text).toContain("Invalid arguments for pick_color");
  });

  test("is unknown in a thread that did not declare it", async () => {
    const rt = createTestRuntime([CALL, CALL, CALL]);
    const thread = await createTestThread(rt, { goal: "Paint", mode: "direct" });
    expect(unwrap(await thread.turn()).outcome.turn?.problem?.code).toBe("decision_refused");
  });
});

describe("its result", () => {
  test("is an untrusted observation that proves a reply and never a write", async () => {
    const { thread, gate } = await waiting();
    const { outcome } = unwrap(await thread.turn(resultOf(gate, { wrote: true })));
    expect(outcome.thread).toMatchObject({ gate: null, state: "execute", tainted: true });
    expect(outcome.thread.proofs).toMatchObject([{ kind: "reply" }]);
    expect(outcome.turn?.receipts).toMatchObject([
      { source: "client_reply", success: true, output_trust: "untrusted", gate_id: gate.id, actor: "tester" },
    ]);
    expect(outcome.turn?.observation).toMatchObject({ text: '{"wrote":true}', raw: { wrote: true } });
  });

  test("makes a finished run replied, never written, whatever the tool declares", async () => {
    const { thread, gate } = await waiting({ ...PICK, effect: "keyed", output_trust: "trusted" }, [done, "Blue."]);
    unwrap(await thread.turn(resultOf(gate, { written: true })));
    unwrap(await thread.turn());
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.thread).toMatchObject({ outcome: "completed", evidence_kind: "replied" });
  });

  test("is accepted once, with the digest of its gate, and is either output or error", async () => {
    const { thread, gate } = await waiting();
    const result = resultOf(gate);
    expect(problemCode(await thread.turn({ ...result, digest: "0" }))).toBe("digest_mismatch");
    expect(problemCode(await thread.turn({ ...result, error: "both" }))).toBe("request_invalid");
    expect(problemCode(await thread.turn({ type: "message", text: "blue" }))).toBe("gate_open");
    expect(problemCode(await thread.turn({ type: "answer", gate_id: gate.id, text: "blue" }))).toBe("gate_mismatch");
    unwrap(await thread.turn(result));
    expect(problemCode(await thread.turn(result))).toBe("gate_closed");
  });

  test("of two that race, one is stored", async () => {
    const { thread, gate } = await waiting();
    const both = await Promise.all([thread.turn(resultOf(gate, "blue")), thread.turn(resultOf(gate, "red"))]);
    expect(both.map(problemCode).toSorted()).toEqual(["ok", "thread_moved"]);
  });

  test("may be an error, which proves nothing", async () => {
    const { thread, gate } = await waiting();
    const { output: _, ...input } = resultOf(gate);
    const { outcome } = unwrap(await thread.turn({ ...input, error: "the user closed the dialog" }));
    expect(outcome.turn?.receipts).toMatchObject([{ success: false }]);
    expect(outcome.thread.proofs).toEqual([]);
  });

  test.each(["output", "error"])(
    "that contains a secret as its %s is stored, shown and sent to the model without it",
    async (field) => {
      const hooks = redactionHooks(createRedactor(["correct horse battery staple"]));
      const rt = createTestRuntime([CALL, done], [], { hooks });
      const thread = await createTestThread(rt, { goal: "Paint", mode: "direct", client_tools: [PICK] });
      const { gate } = await openGate(thread);
      const { output: _, ...input } = resultOf(gate);
      const answer = await thread.turn({ ...input, [field]: "the key is correct horse battery staple" });
      await thread.turn();
      const rows = unwrap(await rt.store.records(thread.at, { after: -1, limit: 100 }));
      const written = JSON.stringify([rows, answer, thread.events, rt.model.requests]);
      expect(written).toContain("the key is [redacted]");
      expect(written).not.toContain("correct horse");
    },
  );

  test("that never comes expires, and the model learns that the outcome is unknown", async () => {
    const { thread, gate, rt } = await waiting({ ...PICK, expires_in_s: 60 });
    rt.clock.advance(60_000);
    expect(problemCode(await thread.turn(resultOf(gate)))).toBe("gate_expired");
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.turn?.receipts).toMatchObject([{ source: "client_reply", success: null, actor: null }]);
    expect(outcome.thread.proofs).toEqual([]);
  });

  test("that is large is stored once, as a blob", async () => {
    const { thread, gate, rt } = await waiting();
    const { records } = unwrap(await thread.turn(resultOf(gate, "x".repeat(100_000))));
    const entry = records[0]?.entry;
    expect(entry?.input).toMatchObject({ output: null });
    expect(entry?.observation).toMatchObject({ size: 100_000 });
    expect(unwrap(await rt.store.getBlob(thread.at, entry?.observation?.blob ?? ""))).toHaveLength(100_000);
  });

  test("is not needed after the run was cancelled", async () => {
    const { thread, gate } = await waiting();
    expect(unwrap(await thread.turn({ type: "cancel" })).outcome.thread.outcome).toBe("cancelled");
    expect(problemCode(await thread.turn(resultOf(gate)))).toBe("gate_closed");
  });
});

describe("taint", () => {
  test("makes a person confirm the next call, which then waits for the client", async () => {
    const { thread, gate } = await waiting(PICK, [callTool("pick_color", { title: "Door" }), done]);
    unwrap(await thread.turn(resultOf(gate)));
    const { gate: confirmation } = unwrap(await thread.turn()).outcome.thread;
    if (confirmation?.kind !== "confirmation") throw new Error("no confirmation");
    const { id, digest } = confirmation;
    const approved = unwrap(await thread.turn({ type: "confirm", gate_id: id, digest, decision: "approve" }));
    expect(approved.outcome.thread.gate).toMatchObject({ kind: "external", call: { arguments: { title: "Door" } } });
    expect(approved.records).toHaveLength(1);
  });

  test("does not come in with a tool that is declared as trusted", async () => {
    const { thread, gate } = await waiting({ ...PICK, output_trust: "trusted" });
    expect(unwrap(await thread.turn(resultOf(gate))).outcome.thread.tainted).toBe(false);
  });
});

describe("a declaration", () => {
  const rt = createTestRuntime([], [createWriteTool([])]);
  const create = (...client_tools: ClientTool[]) =>
    createThread(rt, { tenant: LOCAL_TENANT, actor: "tester", input: { client_tools }, key: null });

  test("cannot take the name of another tool", async () => {
    expect(problemCode(await create({ ...PICK, name: "write" }))).toBe("tool_name_taken");
    expect(problemCode(await create(PICK, PICK))).toBe("tool_name_taken");
  });

  test("does not get the calls of a tool of the server that has the same name by now", async () => {
    const { rt: before, thread, gate } = await waiting();
    const ledger: string[] = [];
    const own = createWriteTool(ledger, { name: "pick_color", confirm: false });
    const upgraded = createTestRuntime([callTool("pick_color", { line: "a" })], [own], { store: before.store });
    const again = attachTestThread(upgraded, thread.at.thread);
    unwrap(await again.turn(resultOf(gate)));
    const { outcome } = unwrap(await again.turn());
    expect(outcome.thread.gate?.kind).not.toBe("external");
    expect(outcome.turn?.receipts.some(({ source }) => source === "client_reply")).toBe(false);
  });

  test("may have a name that objects inherit", async () => {
    const rt = createTestRuntime([callTool("constructor", { title: "Wall" })]);
    const tool = { ...PICK, name: "constructor" };
    const thread = await createTestThread(rt, { goal: "Paint", mode: "direct", client_tools: [tool] });
    expect((await openGate(thread)).gate.call.name).toBe("constructor");
  });

  test("needs a schema that can be checked", async () => {
    expect(problemCode(await create({ ...PICK, input: { type: "string" } }))).toBe("request_invalid");
    const dangling = { type: "object", properties: { a: { $ref: "#/$defs/missing" } } };
    expect(problemCode(await create({ ...PICK, input: dangling }))).toBe("request_invalid");
  });

  test("is bounded in number and size", () => {
    const many = Array.from({ length: 33 }, (_, i) => ({ ...PICK, name: `tool_${i}` }));
    expect(ClientTools.safeParse(many).success).toBe(false);
    const long = Array.from({ length: 9 }, (_, i) => ({ ...PICK, name: `tool_${i}`, description: "d".repeat(4_000) }));
    expect(ClientTools.safeParse(long).success).toBe(false);
  });

  test("is not part of the record, and follows a fork and an export", async () => {
    const { rt: runtime, thread, gate } = await waiting();
    const first = unwrap(await runtime.store.records(thread.at, { after: -1, limit: 1 }))[0];
    expect(first?.entry).not.toContain("Lets the user pick a color");
    const copy = unwrap(await forkThread(runtime, thread.at, 1)).thread;
    if (copy.gate?.kind !== "external") throw new Error("no external gate");
    expect(copy.gate.id).not.toBe(gate.id);
    expect(copy.gate.digest).not.toBe(gate.digest);
    unwrap(await attachTestThread(runtime, copy.id).turn(resultOf(copy.gate)));
    expect(JSON.stringify(unwrap(await exportThread(runtime, thread.at)))).toContain("Lets the user pick a color");
  });

  test("of a later request replaces the earlier ones, and one that is refused stores nothing", async () => {
    const runtime = createTestRuntime([CALL], [createWriteTool([])]);
    const thread = await createTestThread(runtime, { goal: "Paint", mode: "direct" });
    const taken = await thread.turn(null, { options: { client_tools: [{ ...PICK, name: "write" }] } });
    expect(problemCode(taken)).toBe("tool_name_taken");
    expect(unwrap(await runtime.store.load(thread.at, 1)).head.version).toBe(0);
    const declared = unwrap(await thread.turn(null, { options: { client_tools: [PICK] } }));
    expect(declared.outcome.thread.gate?.kind).toBe("external");
  });

  test("that changed while a person decides is not what was approved", async () => {
    const { thread, gate } = await waiting(PICK, [callTool("pick_color", { title: "Door" })]);
    unwrap(await thread.turn(resultOf(gate)));
    const confirmation = unwrap(await thread.turn()).outcome.thread.gate;
    if (confirmation?.kind !== "confirmation") throw new Error("no confirmation");
    const { id, digest } = confirmation;
    const changed = { options: { client_tools: [{ ...PICK, description: "Sends the color away." }] } };
    const approved = await thread.turn({ type: "confirm", gate_id: id, digest, decision: "approve" }, changed);
    expect(problemCode(approved)).toBe("tool_changed");
  });
});

describe("a lease", () => {
  const lease = (gate: ExternalGate, lease_id: string, lease_s = 30) =>
    ({ type: "lease", gate_id: gate.id, lease_id, lease_s }) as const;

  test("that a wrong clock gave for longer than any lease ends at once", () => {
    const lease = { id: "worker-1", actor: "first", until: "2036-03-02T08:00:30.000Z" };
    const gate = { kind: "external", lease } as ExternalGate;
    expect(isLeased(gate, Date.parse("2036-03-02T08:00:00.000Z"))).toBe(true);
    expect(isLeased(gate, Date.parse("2026-03-02T08:00:00.000Z"))).toBe(false);
  });

  test("is held by one worker, which alone can send the result while it lasts", async () => {
    const { thread, gate } = await waiting();
    const taken = unwrap(await thread.turn(lease(gate, "worker-1"), { actor: "first" })).outcome.thread.gate;
    expect(taken).toMatchObject({ id: gate.id, lease: { id: "worker-1", actor: "first" } });
    expect(problemCode(await thread.turn(lease(gate, "worker-2")))).toBe("gate_leased");
    expect(problemCode(await thread.turn(resultOf(gate)))).toBe("gate_leased");
    unwrap(await thread.turn({ ...resultOf(gate), lease_id: "worker-1" }));
  });

  test("does not keep a call open for longer than its gate, and is for gates of this kind only", async () => {
    const { thread, gate, rt } = await waiting({ ...PICK, expires_in_s: 60 });
    expect(problemCode(await thread.turn({ ...lease(gate, "worker-1"), gate_id: `${gate.id}x` }))).toBe("gate_closed");
    unwrap(await thread.turn(lease(gate, "worker-1", 3_600)));
    rt.clock.advance(60_000);
    expect(problemCode(await thread.turn(lease(gate, "worker-1")))).toBe("gate_expired");
    expect(problemCode(await thread.turn({ ...resultOf(gate), lease_id: "worker-1" }))).toBe("gate_expired");
    expect(unwrap(await thread.turn()).outcome.turn?.receipts).toMatchObject([{ success: null }]);
    const asking = createTestRuntime([{ action: "ask_user", speak: "Which day?" }]);
    const other = await createTestThread(asking, { goal: "Ask", mode: "direct" });
    const question = unwrap(await other.turn()).outcome.thread.gate;
    const wrong = { ...lease(gate, "worker-1"), gate_id: question?.id ?? "" };
    expect(problemCode(await other.turn(wrong))).toBe("gate_mismatch");
  });

  test("can be returned, and ends by itself", async () => {
    const { thread, gate, rt } = await waiting();
    unwrap(await thread.turn(lease(gate, "worker-1")));
    unwrap(await thread.turn(lease(gate, "worker-1", 0)));
    unwrap(await thread.turn(lease(gate, "worker-2")));
    rt.clock.advance(30_000);
    unwrap(await thread.turn(lease(gate, "worker-3")));
  });

  test("is shown in the list of gates", async () => {
    const { thread, gate, rt } = await waiting();
    unwrap(await thread.turn(lease(gate, "worker-1")));
    const [meta] = unwrap(await rt.store.list(LOCAL_TENANT, { gated: true, limit: 5 }));
    expect(meta?.gate).toMatchObject({ lease: { id: "worker-1" } });
  });
});
