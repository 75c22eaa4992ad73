import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { alternateRoles, type Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import { changeTool } from "../../src/threads/change-tool.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { showPrompt } from "../../src/threads/show-prompt.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";
import type { TurnRequest } from "../../src/turn/runtime.ts";
import { createTestRuntime, createTestThread, problemCode, type TestRuntime, unwrap } from "../support/runtime.ts";
import { clarify, createWriteTool, look } from "../support/tools.ts";

const call = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: `Using ${name}.`,
  tool_call: { name, arguments: args },
});

test("a turn that was never taken has no prompt", async () => {
  const rt = createTestRuntime([call("look", { at: "desk" })], [look]);
  const { at, turn } = await createTestThread(rt, { goal: "Look", mode: "direct" });
  unwrap(await turn());
  expect(problemCode(await showPrompt(rt, at, 7))).toBe("turn_not_found");
});

test("the prompt of every turn is shown again byte for byte", async () => {
  const script = [
    "garbage",
    { action: "ask_user", speak: "For whom?" },
    {
      action: "plan_done",
      plan_steps: [
        { content: "Look", needs: "observation" },
        { content: "Write", needs: "write" },
      ],
    },
    call("look", { at: "desk" }),
    { action: "next_plan", goal_check: "seen" },
    call("clarify", { question: "Which line?", expires_in_s: 60 }),
    call("write", { line: "a" }),
    { action: "done", goal_check: "nothing" },
    { action: "abort", abort: { user_message: "I give up." } },
    { action: "answer", speak: "Hello again." },
  ];
  const rt = createTestRuntime(script, [look, clarify, createWriteTool([])]);
  const thread = await createTestThread(rt, { goal: "Tidy up", plan_approval: "auto" });
  unwrap(await thread.turn());
  unwrap(await thread.turn({ type: "message", text: "For me." }));
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  rt.clock.advance(61_000);
  const gated = unwrap(await thread.turn()).outcome.thread.gate;
  if (gated?.kind !== "confirmation") throw new Error("no confirmation gate");
  unwrap(
    await thread.turn({
      type: "confirm",
      gate_id: gated.id,
      digest: gated.digest,
      decision: "reject",
      reason: "not now",
    }),
  );
  unwrap(await thread.turn({ type: "message", text: "Never mind." }));
  unwrap(await thread.turn({ type: "message", text: "Hello?" }));

  const head = unwrap(await rt.store.load(thread.at, 1)).head.version;
  const shown: string[] = [];
  for (let turn = 1; turn <= head; turn++) {
    const prompt = await showPrompt(rt, thread.at, turn);
    if (!prompt.ok) continue;
    shown.push(JSON.stringify(prompt.value.messages));
    expect(prompt.value).toMatchObject({ exact: true, roles: "as_shown" });
  }
  // A corrected turn shows the prompt of its last attempt. The scripted model recorded every attempt.
  const heard = rt.model.requests.map((request) => JSON.stringify(request.messages));
  for (const prompt of shown) expect(heard).toContain(prompt);
  expect(shown.length).toBe(8);
});

test("the prompt of a corrected turn is shown as it was shortened for its last attempt", async () => {
  const script = [call("dump", { at: "desk" }), "garbage", call("dump", { at: "shelf" })];
  const dump = defineTool(
    { name: "dump", description: "Gives much.", input: z.object({ at: z.string() }), output: z.string() },
    ({ at }) => `${at} ${"words ".repeat(6000)}`,
  );
  const plain = createTestRuntime(script, [dump]);
  // The model reports more tokens than estimated, so that every reply makes the next prompt a little smaller.
  const model: Model = {
    ...plain.model,
    window: 3600,
    max_output_tokens: 300,
    reply: async (request) => {
      const reply = await plain.model.reply(request);
      const length = request.messages.reduce((sum, { content }) => sum + content.length, 0);
      return reply.ok
        ? ok({ ...reply.value, usage: { input_tokens: Math.ceil(length / 2), output_tokens: 10 } })
        : reply;
    },
  };
  const rt = { ...plain, pickModel: () => model };
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  const [, first, last] = plain.model.requests.map((request) => request.messages);
  expect(last?.[2]?.content.length).toBeLessThan(first?.[2]?.content.length ?? 0);
  expect(unwrap(await showPrompt(rt, thread.at, 2)).messages).toEqual(last);
});

test("a fork shows the prompt with the time at which it was sent", async () => {
  const rt = createTestRuntime([call("look", { at: "desk" })], [look]);
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  rt.clock.advance(3_600_000);
  const fork = unwrap(await forkThread(rt, thread.at, 1)).thread;
  const shown = unwrap(await showPrompt(rt, { ...thread.at, thread: fork.id }, 1));
  expect(shown).toEqual(unwrap(await showPrompt(rt, thread.at, 1)));
  expect(shown.exact).toBe(true);
});

/**
 * The tools of a past turn are not the current ones, because a disabled tool, a request or a channel changes which are
 * offered.
 */
describe("the prompt of a turn is shown exactly as it was sent", () => {
  const recall = defineTool(
    { name: "recall", description: "Shows it again.", input: z.object({ at: z.string() }), output: z.string() },
    () => "",
  );
  const supersedes = { ...look, manifest: { ...look.manifest, supersedes: true } };
  const note = createWriteTool([], { name: "note", confirm: false });
  const script = [
    call("look", { at: "desk" }),
    call("note", { line: "a" }),
    call("look", { at: "shelf" }),
    call("look", { at: "floor" }),
  ];

  const playFour = async (
    tools: readonly Tool[],
    between: (turn: number, rt: TestRuntime) => Promise<Partial<TurnRequest> | undefined>,
  ) => {
    const rt = createTestRuntime(script, tools);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    for (let turn = 1; turn <= 4; turn++) unwrap(await thread.turn(null, await between(turn, rt)));
    await between(5, rt);
    const shown = [];
    for (let turn = 1; turn <= 4; turn++) shown.push(unwrap(await showPrompt(rt, thread.at, turn)));
    expect(shown.map(({ messages }) => messages)).toEqual(rt.model.requests.map(({ messages }) => messages));
    expect(shown.map(({ exact }) => exact)).toEqual([true, true, true, true]);
    return shown.map(({ messages }) => messages[2]?.content ?? "");
  };
  const switchTool = async (rt: TestRuntime, name: string, enabled: boolean) => {
    unwrap(await changeTool(rt, LOCAL_TENANT, { name, enabled, agent: null, if_match: null }));
    return undefined;
  };

  test.each([
    ["switched off since then", 5, false],
    ["off at that time and on again", 3, true],
  ])("with a tool that was %s", async (_, turn, again) => {
    const [, , third] = await playFour([supersedes, note], async (at, rt) => {
      if (at === turn) await switchTool(rt, "note", false);
      if (at === 5 && again) await switchTool(rt, "note", true);
      return undefined;
    });
    // The tool's change still marks the observation as stale.
    expect(third).toMatch(/stale="may be changed by rcp_/);
  });

  test("with observations that could not be read again in one turn", async () => {
    const [, second, , fourth] = await playFour([supersedes, note, recall], async (at, rt) =>
      at >= 4 ? switchTool(rt, "recall", at === 5) : undefined,
    );
    expect(second).not.toContain("recall");
    expect(fourth).toMatch(/^- .* receipt rcp_/m);
  });

  test("with tools that its request declared, on a channel with fewer tools", async () => {
    const { name, description, input } = recall.manifest;
    const only = { ...note, manifest: { ...note.manifest, channels: ["http"] } };
    const [, , , fourth] = await playFour([supersedes, only], async (at) =>
      at === 4 ? { options: { channel: "mail", client_tools: [{ name, description, input }] } } : undefined,
    );
    expect(fourth).toMatch(/^- .* recall rcp_/m);
  });
});

test("a prompt that cannot be rebuilt as it was sent says so", async () => {
  const places = ["desk", "shelf", "floor"].map((at) => call("look", { at }));
  const rt = createTestRuntime(places, [look]);
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  for (let turn = 0; turn < 3; turn++) unwrap(await thread.turn());
  // Since then, the tool declares that a newer observation replaces older ones.
  const changed = { ...look, manifest: { ...look.manifest, supersedes: true } };
  const later = createTestRuntime([], [changed], { store: rt.store });
  expect(unwrap(await showPrompt(rt, thread.at, 3)).exact).toBe(true);
  expect(unwrap(await showPrompt(later, thread.at, 3)).exact).toBe(false);
});

test("a record of the first release has a prompt, but nothing to compare it with", async () => {
  const data = createMemoryData();
  const rt = createTestRuntime([call("look", { at: "desk" })], [look], { store: createMemoryStore(data) });
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  const rows = data.records.get(`${thread.at.tenant}/${thread.at.thread}`) ?? [];
  const old = rows.map((row) => ({ ...row, entry: row.entry.replace(/,"prompt":\{[^}]*\}/, "") }));
  data.records.set(`${thread.at.tenant}/${thread.at.thread}`, old);
  const shown = unwrap(await showPrompt(rt, thread.at, 1));
  expect(shown.exact).toBeNull();
  expect(shown.messages[3]?.content).not.toContain("Now:");
});

test("a prompt that was merged for alternating roles is shown as the provider got it", async () => {
  const rt = createTestRuntime([{ action: "done", goal_check: "four", delivery: "Four." }], [look]);
  const alternating: Model = {
    ...rt.model,
    reply: async (request) => {
      const reply = await rt.model.reply({ ...request, messages: alternateRoles(request.messages) });
      return reply.ok ? ok({ ...reply.value, roles: "alternating" as const }) : reply;
    },
  };
  const merging = { ...rt, pickModel: () => alternating };
  const thread = await createTestThread(merging, { goal: "2 + 2?", mode: "direct" });
  unwrap(await thread.turn());
  const shown = unwrap(await showPrompt(merging, thread.at, 1));
  expect(shown).toMatchObject({ exact: true, roles: "alternating" });
  expect(shown.messages).toEqual(rt.model.requests.at(-1)?.messages);
  expect(shown.messages.map(({ role }) => role)).toEqual(["system", "user"]);
});
