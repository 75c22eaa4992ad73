import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CallLine, callLogHooks } from "../../../src/tools/call-log.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import type { Hook } from "../../../src/tools/hooks.ts";
import { createRedactor, redactionHooks } from "../../../src/tools/redaction/redact.ts";
import { argumentsDigest } from "../../../src/turn/gates/digest.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { createWriteTool, look, throwingTool } from "../../support/tools.ts";

const calling = (name: string, args: Record<string, unknown>, action = "continue") => ({
  action,
  speak: "On it.",
  tool_call: { name, arguments: args },
});
const rewrite: Hook = {
  name: "rewrite",
  hook_type: "PRE_TOOL_USE",
  filter_names: ["look"],
  handler: ({ arguments: args }) => ({ action: "MODIFY", arguments: { ...args, at: "door" } }),
};
const deny = (name: string, tool: string): Hook => ({
  name,
  hook_type: "PRE_TOOL_USE",
  filter_names: [tool],
  handler: () => ({ action: "DENY", reason: "not on Sundays" }),
});
const SECRET = "correct horse battery staple";

describe("hooks around a call", () => {
  test("run in the order of layers: resolved, before, the tool, after", async () => {
    const order: string[] = [];
    const tool = defineTool({ name: "look", description: "Looks.", input: z.object({ at: z.string() }) }, ({ at }) => {
      order.push(`run ${at}`);
      return "seen";
    });
    const before: Hook = {
      name: "before",
      hook_type: "PRE_TOOL_USE",
      handler: async ({ arguments: args }) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push(`before ${args.at}`);
        return { action: "ALLOW" };
      },
    };
    const after: Hook = {
      name: "after",
      hook_type: "POST_TOOL_USE",
      handler: ({ arguments: args, result }) => {
        order.push(`after ${args.at} ${result}`);
        return { action: "CONTINUE" };
      },
    };
    const rt = createTestRuntime([calling("look", { at: "desk" })], [tool], { hooks: [rewrite, before, after] });
    unwrap(await (await createTestThread(rt, { goal: "Look", mode: "direct" })).turn());
    expect(order).toEqual(["before door", "run door", "after door seen"]);
  });

  test("changed arguments run and are stored, with the digest of the proposal", async () => {
    const rt = createTestRuntime([calling("look", { at: "desk" })], [look], { hooks: [rewrite] });
    const turned = unwrap(await (await createTestThread(rt, { goal: "Look", mode: "direct" })).turn());
    const [record] = turned.records;
    expect(record?.entry.observation?.text).toBe("seen door");
    expect(record?.entry.call).toMatchObject({
      arguments: { at: "door" },
      arguments_digest: argumentsDigest(rt.hash, { tool: "look", arguments: { at: "door" } }),
      proposed_digest: argumentsDigest(rt.hash, { tool: "look", arguments: { at: "desk" } }),
    });
    expect(record?.entry.decision).toMatchObject({ value: { tool_call: { arguments: { at: "desk" } } } });
  });

  test("arguments that a hook made invalid are refused, and the field is named", async () => {
    const spoil: Hook = {
      name: "spoil",
      hook_type: "PRE_TOOL_USE",
      handler: () => ({ action: "MODIFY", arguments: { at: 4 } }),
    };
    const rt = createTestRuntime([calling("look", { at: "desk" })], [look], { hooks: [spoil] });
    const turned = unwrap(await (await createTestThread(rt, { goal: "Look", mode: "direct" })).turn());
    expect(turned.outcome.turn?.observation?.text).toContain(
      "After a hook changed them: Invalid arguments for look: at:",
    );
    expect(turned.outcome.turn?.receipts).toMatchObject([{ success: false }]);
  });

  test("invalid arguments become an observation that names the field", async () => {
    const rt = createTestRuntime([calling("look", { place: "desk" })], [look]);
    const turned = unwrap(await (await createTestThread(rt, { goal: "Look", mode: "direct" })).turn());
    expect(turned.outcome.turn?.observation?.text).toContain("Invalid arguments for look: at:");
    expect(turned.outcome.turn?.corrections).toEqual([]);
  });

  test("a denied call does not run; the model sees the reason, and the thread is not tainted", async () => {
    const ledger: string[] = [];
    const rt = createTestRuntime([calling("write", { line: "a" }, "confirm")], [createWriteTool(ledger)], {
      hooks: [deny("calendar_guard", "write")],
    });
    const turned = unwrap(await (await createTestThread(rt, { goal: "Write", mode: "direct" })).turn());
    expect(ledger).toEqual([]);
    expect(turned.outcome.turn?.observation?.text).toBe("calendar_guard says no: not on Sundays");
    expect(turned.outcome.turn?.receipts).toMatchObject([{ success: false, output_trust: "trusted" }]);
    expect(turned.outcome.thread).toMatchObject({ tainted: false, gate: null });
  });

  test("hooks of a tool run for that tool only", async () => {
    const guarded = {
      ...look,
      hooks: [
        { name: "own", hook_type: "PRE_TOOL_USE", handler: () => ({ action: "DENY", reason: "mine" }) },
      ] as Hook[],
    };
    const other = defineTool({ name: "peek", description: "Peeks.", input: z.object({}) }, () => "peeked");
    const rt = createTestRuntime([calling("look", { at: "desk" }), calling("peek", {})], [guarded, other]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    expect(unwrap(await thread.turn()).outcome.turn?.observation?.text).toBe("own says no: mine");
    expect(unwrap(await thread.turn()).outcome.turn?.observation?.text).toBe("peeked");
  });

  test("a hook that fails after a write does not undo it: the receipt stays, the text is withheld", async () => {
    const ledger: string[] = [];
    const failing: Hook = {
      name: "auditor",
      hook_type: "POST_TOOL_USE",
      handler: () => {
        throw new Error("no room");
      },
    };
    const rt = createTestRuntime([calling("write", { line: "a" })], [createWriteTool(ledger, { confirm: false })], {
      hooks: [failing],
    });
    const turned = unwrap(await (await createTestThread(rt, { goal: "Write", mode: "direct" })).turn());
    expect(ledger).toHaveLength(1);
    expect(turned.outcome.turn?.receipts.at(-1)).toMatchObject({ kind: "settled", success: true });
    expect(turned.outcome.turn?.observation?.text).toContain("withheld: auditor");
  });
});

describe("the call log", () => {
  test("has one line per call, whatever its result", async () => {
    const lines: CallLine[] = [];
    const hooks = [...callLogHooks((line) => void lines.push(line)), rewrite, deny("guard", "peek")];
    const peek = defineTool({ name: "peek", description: "Peeks.", input: z.object({}) }, () => "peeked");
    const script = [
      calling("look", { at: "desk" }),
      calling("broken", { n: 1 }),
      calling("peek", {}),
      calling("look", { place: 1 }),
      calling("write", { line: "a" }, "confirm"),
    ];
    const rt = createTestRuntime(script, [look, throwingTool, peek, createWriteTool([])], { hooks });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    for (let n = 0; n < 4; n += 1) unwrap(await thread.turn());
    const gate = unwrap(await thread.turn()).outcome.thread.gate;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
    expect(lines).toHaveLength(4);
    unwrap(
      await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "reject", reason: "no" }),
    );
    expect(lines.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["look", "ok"],
      ["broken", "failed"],
      ["peek", "skipped"],
      ["look", "skipped"],
      ["write", "skipped"],
    ]);
    const [first, , denied] = lines;
    expect(first).toMatchObject({
      arguments_digest: argumentsDigest(rt.hash, { tool: "look", arguments: { at: "door" } }),
      proposed_digest: argumentsDigest(rt.hash, { tool: "look", arguments: { at: "desk" } }),
      operation_id: expect.stringMatching(/^opr_/),
      duration_ms: 0,
    });
    expect(denied).toMatchObject({ reason: "guard says no: not on Sundays", operation_id: null, duration_ms: null });
  });
});

describe("secrets of the host", () => {
  const tools = [
    defineTool({ name: "leak", description: "x", input: z.object({}), output: z.object({ key: z.string() }) }, () => ({
      key: SECRET,
    })),
    defineTool({ name: "fall", description: "x", input: z.object({}) }, () => {
      throw new Error(`cannot connect with ${SECRET}`, { cause: new Error(SECRET) });
    }),
    defineTool({ name: "drip", description: "x", input: z.object({}), streaming: true }, async function* () {
      yield { stage: `login ${SECRET}`, text: `using ${SECRET}` };
      yield SECRET.slice(0, 10);
      yield SECRET.slice(10);
    }),
    defineTool({ name: "tell", description: "x", input: z.object({}) }, async (_input, { progress }) => {
      await progress(`trying ${SECRET}`, "login");
      return "ok";
    }),
    defineTool({ name: "deny", description: "x", input: z.object({}) }, () => "never"),
  ];

  test("reach no record, event, log, prompt or blob", async () => {
    const leaking: Hook = {
      name: "leaking",
      hook_type: "PRE_TOOL_USE",
      filter_names: ["deny"],
      handler: () => {
        throw new Error(`the password ${SECRET} is wrong`);
      },
    };
    const hooks = [leaking, ...redactionHooks(createRedactor([SECRET]))];
    const rt = createTestRuntime(
      tools.map((tool) => calling(tool.manifest.name, {})),
      tools,
      { hooks },
    );
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const outcomes = [];
    for (const _ of tools) outcomes.push(unwrap(await thread.turn()));
    const rows = unwrap(await rt.store.records(thread.at, { after: -1, limit: 100 }));
    const written = JSON.stringify([rows, thread.events, outcomes, rt.model.requests]);
    for (const part of ["correct horse", "horse battery", "battery staple"]) expect(written).not.toContain(part);
    expect(written.match(/\[redacted\]/g)?.length).toBeGreaterThan(6);
    expect(outcomes[0]?.outcome.turn?.observation).toMatchObject({ raw: { key: "[redacted]" } });
  });
});
