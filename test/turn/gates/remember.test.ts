import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ConfirmationGate } from "../../../src/schema/gate.ts";
import type { TurnInput } from "../../../src/schema/input.ts";
import { forkThread } from "../../../src/threads/fork.ts";
import { defineTool, type Tool } from "../../../src/tools/define-tool.ts";
import type { Hook } from "../../../src/tools/hooks.ts";
import { createTestRuntime, createTestThread, problemCode, type TestThread, unwrap } from "../../support/runtime.ts";
import { createWriteTool } from "../../support/tools.ts";

const write = (line: string, name = "write") => ({
  action: "confirm",
  speak: "Writing.",
  tool_call: { name, arguments: { line } },
});
const command = (text: string, folder?: string) => ({
  action: "continue",
  speak: "Running.",
  tool_call: { name: "run", arguments: { command: text, ...(folder ? { folder } : {}) } },
});
const page = { action: "continue", speak: "Reading.", tool_call: { name: "page", arguments: {} } };

/** A tool that brings in untrusted text. */
const readPage = defineTool(
  { name: "page", description: "Reads a page.", output_trust: "untrusted", input: z.object({}), output: z.string() },
  () => "text from outside",
);

/** Creates a tool that asks about every command, with the second word as the kind of its reason. */
function runCommand(ran: string[]): Tool {
  const hook: Hook = {
    name: "risk",
    hook_type: "PRE_TOOL_USE",
    handler: ({ arguments: args }) => {
      const text = String(args.command);
      const kinds = text.includes("--danger") ? ["known", "danger"] : ["known"];
      const once = text.includes("--delete");
      return { action: "ASK", code: "risk", reason: `Runs ${text}.`, kinds, prefix: true, ...(once && { once }) };
    },
  };
  return defineTool(
    {
      name: "run",
      description: "Runs a command.",
      permission: "EXTERNAL",
      effect: "unkeyed",
      requires_confirmation: false,
      outward: true,
      input: z.object({ command: z.string(), folder: z.string().optional() }),
      output: z.string(),
      command: ({ command: text, folder = "." }) => (text.includes(";") ? null : { words: text.split(" "), folder }),
      hooks: [hook],
    },
    ({ command: text }) => {
      ran.push(text);
      return `ran ${text}`;
    },
  );
}

const gateOf = async (thread: TestThread): Promise<ConfirmationGate> => {
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
  return gate;
};
const approve = (gate: ConfirmationGate, more: Partial<Extract<TurnInput, { type: "confirm" }>> = {}): TurnInput => ({
  type: "confirm",
  gate_id: gate.id,
  digest: gate.digest,
  decision: "approve",
  ...more,
});

describe("a remembered approval", () => {
  test("covers the same call again, and the receipt names it and the person", async () => {
    const ledger: string[] = [];
    const rt = createTestRuntime(
      [write("a"), write("b"), write("a"), write("a", "other")],
      [createWriteTool(ledger), createWriteTool(ledger, { name: "other" })],
    );
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    const gate = await gateOf(thread);
    const approved = unwrap(await thread.turn(approve(gate, { remember: "run" }), { actor: "ada" }));
    const [approval] = approved.outcome.thread.remembered_approvals;
    expect(approval).toMatchObject({ tool: "write", remember: "run", actor: "ada", gate_id: gate.id, active: true });
    // Different arguments open a gate.
    unwrap(await thread.turn(approve(await gateOf(thread))));
    const again = unwrap(await thread.turn());
    expect(again.outcome.turn?.receipts.at(-1)).toMatchObject({
      success: true,
      gate_id: gate.id,
      actor: "ada",
      approval_id: approval?.id,
    });
    expect(ledger).toHaveLength(3);
    // A different tool opens a gate.
    expect((await gateOf(thread)).call.name).toBe("other");
  });

  test("for a run ends with it, for the thread it does not", async () => {
    const done = { action: "done", goal_check: "It is written." };
    for (const remember of ["run", "thread"] as const) {
      const rt = createTestRuntime([write("a"), done, "Done.", write("a")], [createWriteTool([])]);
      const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
      unwrap(await thread.turn(approve(await gateOf(thread), { remember })));
      unwrap(await thread.turn());
      unwrap(await thread.turn());
      const next = unwrap(await thread.turn({ type: "message", text: "Again" }));
      expect(next.outcome.thread.gate?.kind ?? null).toBe(remember === "run" ? "confirmation" : null);
      expect(next.outcome.thread.remembered_approvals).toHaveLength(remember === "run" ? 0 : 1);
    }
  });

  test("covers commands that begin with the same words in the same folder, and no others", async () => {
    const ran: string[] = [];
    const script = [
      command("npm test a"),
      command("npm test b"),
      command("npm test c --danger"),
      command("npm test d", "sub"),
      command("npm test e; ls"),
    ];
    const rt = createTestRuntime(script, [runCommand(ran)]);
    const thread = await createTestThread(rt, { goal: "Test", mode: "direct" });
    const gate = await gateOf(thread);
    expect(gate.remember).toEqual({ words: ["npm", "test", "a"] });
    const wrong = approve(gate, { remember: "run", prefix: ["npm", "run"] });
    expect(problemCode(await thread.turn(wrong))).toBe("request_invalid");
    unwrap(await thread.turn(approve(gate, { remember: "run", prefix: ["npm", "test"] })));
    unwrap(await thread.turn());
    expect(ran).toEqual(["npm test a", "npm test b"]);
    // A new reason opens a gate again; so do another folder and a line that is not a single simple command.
    for (const text of ["npm test c --danger", "npm test d", "npm test e; ls"]) {
      const asked = await gateOf(thread);
      expect(asked.call.arguments).toMatchObject({ command: text });
      unwrap(await thread.turn(approve(asked)));
    }
  });

  test("of commands that begin alike is void once untrusted text came in", async () => {
    const ran: string[] = [];
    const rt = createTestRuntime([command("npm test a"), page, command("npm test b")], [runCommand(ran), readPage]);
    const thread = await createTestThread(rt, { goal: "Test", mode: "direct" });
    unwrap(await thread.turn(approve(await gateOf(thread), { remember: "thread", prefix: ["npm", "test"] })));
    const tainted = unwrap(await thread.turn());
    expect(tainted.outcome.thread.remembered_approvals).toMatchObject([{ active: false }]);
    const gate = await gateOf(thread);
    // In a thread with untrusted text, only the exact call can be remembered.
    expect(gate.remember).toEqual({ words: null });
    const prefix = approve(gate, { remember: "run", prefix: ["npm", "test"] });
    expect(problemCode(await thread.turn(prefix))).toBe("request_invalid");
    expect(problemCode(await thread.turn(approve(gate, { remember: "run" })))).toBe("ok");
  });

  test("given before untrusted text came in does not lift the question that it raises", async () => {
    const rt = createTestRuntime(
      [command("npm test a"), page, command("npm test a"), page, command("npm test a")],
      [runCommand([]), readPage],
    );
    const thread = await createTestThread(rt, { goal: "Test", mode: "direct" });
    unwrap(await thread.turn(approve(await gateOf(thread), { remember: "thread" })));
    unwrap(await thread.turn());
    const gate = await gateOf(thread);
    expect(gate.reasons.map(({ code }) => code)).toEqual(["risk", "taint"]);
    unwrap(await thread.turn(approve(gate, { remember: "thread" })));
    unwrap(await thread.turn());
    expect(unwrap(await thread.turn()).outcome.thread.gate).toBeNull();
  });

  test("is not offered for a destructive call, and refused if it is asked for", async () => {
    const rt = createTestRuntime([command("npm test --delete")], [runCommand([])]);
    const thread = await createTestThread(rt, { goal: "Test", mode: "direct" });
    const gate = await gateOf(thread);
    expect(gate.remember).toBeNull();
    expect(problemCode(await thread.turn(approve(gate, { remember: "run" })))).toBe("request_invalid");
    expect(problemCode(await thread.turn(approve(gate)))).toBe("ok");
  });

  test.each([
    ["with a rejection", { decision: "reject" as const, remember: "run" as const }],
    ["with edited arguments", { edited_arguments: { line: "b" }, remember: "run" as const }],
    ["as a prefix alone", { prefix: ["a", "b"] }],
  ])("is refused %s", async (_title, more) => {
    const rt = createTestRuntime([write("a")], [createWriteTool([])]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    expect(problemCode(await thread.turn(approve(await gateOf(thread), more)))).toBe("request_invalid");
  });

  test("ends when it is revoked, in any state", async () => {
    const rt = createTestRuntime([write("a"), write("b"), write("a")], [createWriteTool([])]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    const approved = unwrap(await thread.turn(approve(await gateOf(thread), { remember: "thread" })));
    const approval_id = approved.outcome.thread.remembered_approvals[0]?.id ?? "";
    const gate = await gateOf(thread);
    const revoked = unwrap(await thread.turn({ type: "revoke", approval_id }, { actor: "bob" }));
    expect(revoked.outcome.thread).toMatchObject({ remembered_approvals: [], gate: { id: gate.id } });
    expect(revoked.records[0]?.entry).toMatchObject({ actor: "bob", input: { type: "revoke", approval_id } });
    expect(problemCode(await thread.turn({ type: "revoke", approval_id }))).toBe("approval_not_found");
    unwrap(await thread.turn(approve(gate)));
    expect((await gateOf(thread)).call.arguments).toEqual({ line: "a" });
  });

  test("is void when the tool changed", async () => {
    const rt = createTestRuntime([write("a"), page, write("a")], [createWriteTool([]), readPage]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    unwrap(await thread.turn(approve(await gateOf(thread), { remember: "thread" })));
    unwrap(await thread.turn());
    const tool = createWriteTool([]);
    rt.toolbox.register({ ...tool, manifest: { ...tool.manifest, version: "2" } });
    expect((await gateOf(thread)).call.manifest_version).toBe("2");
  });

  test("is not copied to a fork", async () => {
    const rt = createTestRuntime([write("a")], [createWriteTool([])]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    const approved = unwrap(await thread.turn(approve(await gateOf(thread), { remember: "thread" })));
    const fork = unwrap(await forkThread(rt, thread.at, approved.outcome.thread.turn));
    expect(fork.thread.remembered_approvals).toEqual([]);
  });

  test("of which there are more than eight, the oldest is forgotten", async () => {
    const lines = Array.from({ length: 9 }, (_, n) => `line ${n}`);
    const rt = createTestRuntime(
      lines.map((line) => write(line)),
      [createWriteTool([])],
    );
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    let shown: string[] = [];
    for (const _ of lines) {
      const { outcome } = unwrap(await thread.turn(approve(await gateOf(thread), { remember: "thread" })));
      shown = outcome.thread.remembered_approvals.map((approval) => approval.shown);
    }
    expect(shown).toHaveLength(8);
    expect(shown[0]).toContain("line 1");
  });
});

describe("rejections of one tool", () => {
  test("the third one in a run asks the user what is wanted instead", async () => {
    const rt = createTestRuntime([write("a"), write("b"), write("c"), write("d")], [createWriteTool([])]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    for (let n = 0; n < 2; n += 1) {
      const rejected = unwrap(await thread.turn(approve(await gateOf(thread), { decision: "reject" })));
      expect(rejected.outcome.next).toBe("advance");
    }
    const third = unwrap(await thread.turn(approve(await gateOf(thread), { decision: "reject" })));
    expect(third.outcome).toMatchObject({
      kind: "waiting",
      next: "answer",
      gate: { kind: "question", text: "You rejected write 3 times. What do you want instead?" },
    });
    const answered = unwrap(await thread.turn({ type: "message", text: "Write d." }));
    expect(answered.outcome.thread.gate).toMatchObject({ kind: "confirmation", call: { arguments: { line: "d" } } });
  });
});
