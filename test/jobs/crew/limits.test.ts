import { expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import { createCrew } from "../../../src/jobs/crew/create-crew.ts";
import { verifyExport, writeExport } from "../../../src/schema/export.ts";
import { EffectId, LOCAL_TENANT, type ThreadId } from "../../../src/schema/ids.ts";
import { exportThread } from "../../../src/threads/export-thread.ts";
import { forkThread } from "../../../src/threads/fork.ts";
import { importThread } from "../../../src/threads/import-thread.ts";
import { removeThread } from "../../../src/threads/remove.ts";
import { call, createCrewRuntime, DONE, type Play, stateOf } from "../../support/crew.ts";
import { attachTestThread, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";

async function createParent(budget = {}) {
  const rt = createCrewRuntime(() => DONE);
  const crew = createCrew(rt);
  const { at } = await createTestThread(rt, { goal: "Parent", mode: "direct", budget });
  const callOf = (thread: ThreadId) => ({
    tenant: LOCAL_TENANT,
    thread,
    effect_id: EffectId.parse(rt.ids.make("eff")),
  });
  return { rt, crew, thread: at.thread, callOf };
}

test("a sub-agent can pass on no more than it has itself", async () => {
  const { rt, crew, thread, callOf } = await createParent();
  const limited = { task: "Look", readonly: true, budget: { turns: 20 } };
  const [child] = unwrap(await crew.delegate(callOf(thread), [limited])).children;
  if (!child) throw new Error("no child");
  expect((await stateOf(rt, child.thread)).child).toMatchObject({ depth: 1, shell: false, readonly: true });
  const wanted = { task: "Run", shell: true, readonly: false, budget: { turns: 2 } };
  const [grandchild] = unwrap(await crew.delegate(callOf(child.thread), [wanted])).children;
  if (!grandchild) throw new Error("no grandchild");
  expect((await stateOf(rt, grandchild.thread)).child).toMatchObject({ depth: 2, shell: false, readonly: true });
});

test("sub-agents are at most two levels deep: the last one does not get the tools that create more", async () => {
  const offered: string[] = [];
  const rt = createCrewRuntime((_goal, seen, { messages: [prompt] }) => {
    const has = prompt?.content.includes("## delegate_task:") ?? false;
    offered.push(has ? "yes" : "no");
    return has && seen === 0 ? call("delegate_task", { task: "Deeper" }) : DONE;
  });
  const { at, turn } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  for (let i = 0; i < 20; i++) if (unwrap(await turn()).outcome.next === "none") break;
  const rows = unwrap(await rt.store.list(at.tenant, { limit: 10 }));
  expect(rows).toHaveLength(3);
  expect(offered).toContain("no");
  const states = await Promise.all(rows.map(({ thread }) => stateOf(rt, thread)));
  const deepest = rows[states.findIndex(({ child }) => child?.depth === 2)];
  if (!deepest) throw new Error("no child of a child");
  const refused = await createCrew(rt).delegate(
    { tenant: LOCAL_TENANT, thread: deepest.thread, effect_id: EffectId.parse(rt.ids.make("eff")) },
    [{ task: "Deeper" }],
  );
  expect(problemCode(refused)).toBe("tool_refused");
});

test("the tools of a child over HTTP name what cannot run in it", async () => {
  const page = { name: "page_tool", description: "Reads the page.", input: { type: "object", properties: {} } };
  const rt = createCrewRuntime((goal) => (goal === "Parent" ? call("delegate_task", { task: "A" }) : DONE));
  const app = createApp(testSettings(rt));
  const send = async (method: string, path: string, body?: object) => {
    const headers = { host: "localhost", "content-type": "application/json" };
    const response = await app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
    return (await response.json()) as any;
  };
  const { thread } = await send("POST", "/v1/threads", { goal: "Parent", mode: "direct", client_tools: [page] });
  const delegating = await send("POST", `/v1/threads/${thread.id}/turns`, {});
  const { tool_names, disabled_reasons } = await send("GET", `/v1/threads/${delegating.thread.children[0]}/tools`);
  expect(tool_names).toContain("delegate_task");
  expect(disabled_reasons).toEqual({ page_tool: "child_blocked" });
});

test("a thread sends messages to its own sub-agents only", async () => {
  const { rt, crew, thread, callOf } = await createParent();
  const other = await createTestThread(rt, { goal: "Other", mode: "direct" });
  expect(problemCode(await crew.broadcast(callOf(thread), "Stop.", [other.at.thread]))).toBe("tool_refused");
});

test("a message reserves the budget of the next runs from what is left of the parent's", async () => {
  const { rt, crew, thread, callOf } = await createParent({ turns: 12 });
  const tasks = [
    { task: "A", budget: { turns: 6 } },
    { task: "B", budget: { turns: 2 } },
  ];
  const ids = unwrap(await crew.delegate(callOf(thread), tasks)).children.map((child) => child.thread);
  for (const id of ids) unwrap(await attachTestThread(rt, id).turn({ type: "cancel" }));
  unwrap(await attachTestThread(rt, thread).turn(null, { budget: { turns: 9 } }));
  unwrap(await crew.broadcast(callOf(thread), "Again.", ids));
  const limits = await Promise.all(ids.map(async (id) => (await stateOf(rt, id)).budget.limit.turns));
  expect(limits).toEqual([4, 2]);
  unwrap(await attachTestThread(rt, thread).turn(null, { budget: { turns: 2 } }));
  for (const id of ids) unwrap(await attachTestThread(rt, id).turn({ type: "cancel" }));
  expect(problemCode(await crew.broadcast(callOf(thread), "Once more.", ids))).toBe("tool_refused");
});

test("a task that cannot become a thread is refused before the first child exists", async () => {
  const { rt, crew, thread, callOf } = await createParent();
  const long = { task: "长".repeat(8_000), context: "长".repeat(4_000) };
  for (const bad of [{ task: " \n" }, long])
    expect(problemCode(await crew.delegate(callOf(thread), [{ task: "A" }, bad]))).toBe("tool_refused");
  expect(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }))).toHaveLength(1);
});

test("a child spends what its parent has reserved for it, whatever people send to it", async () => {
  const tasks = [{ task: "A" }, { task: "B" }];
  const rt = createCrewRuntime((goal, seen) => {
    rt.clock.advance({ A: 1_000, B: 3_000 }[goal] ?? 0);
    return goal === "Parent" && seen === 0 ? call("delegate_parallel", { tasks }) : DONE;
  });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct", budget: { turns: 9 } });
  const [a, b] = unwrap(await parent.turn()).outcome.thread.children ?? [];
  if (!a || !b) throw new Error("no children");
  const [first, second] = [attachTestThread(rt, a), attachTestThread(rt, b)];
  for (let turns = 0; turns < 2; turns++) unwrap(await first.turn());
  expect((await stateOf(rt, a)).machine).toMatchObject({ state: "rest", outcome: "completed" });
  expect(problemCode(await first.turn({ type: "message", text: "Again" }))).toBe("sub_agent_refused");
  expect(problemCode(await second.turn(null, { budget: { turns: 5 } }))).toBe("sub_agent_refused");
  unwrap(await second.turn({ type: "message", text: "Be brief." }, { budget: { turns: 4 } }));
  for (let turns = 0; turns < 20; turns++) if (unwrap(await parent.turn()).outcome.next === "none") break;
  // The parent used three turns itself, plus two of each child, and the time of the slowest child.
  const { limit, used } = (await stateOf(rt, parent.at.thread)).budget;
  expect({ turns: used.turns, of: limit.turns, seconds: used.seconds }).toEqual({ turns: 7, of: 9, seconds: 3 });
});

test("a thread that waits for its sub-agents is not forked, because both would drive and cancel them", async () => {
  const play: Play = (goal) => (goal === "Parent" ? call("delegate_task", { task: "A" }) : DONE);
  const rt = createCrewRuntime(play);
  const { at, turn } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const { outcome } = unwrap(await turn());
  expect(outcome.thread).toMatchObject({ at: "delegating" });
  expect(problemCode(await forkThread(rt, at, outcome.thread.turn))).toBe("turn_running");
});

test.each([
  ["an unknown agent", "team_agent", { agent: "defualt", task: "Look" }, /no agent "defualt"; the nearest is default/],
  ["an unknown tool", "delegate_task", { task: "Look", tools: ["lok"] }, /You have no tool "lok"/],
  ["a folder outside", "delegate_task", { task: "Look", roots: ["../x"] }, /Nothing was started/],
  ["too many tasks", "delegate_parallel", { tasks: Array.from({ length: 40 }, () => ({ task: "Look" })) }, /At most/],
  ["too much budget", "delegate_task", { task: "Look", budget: { turns: 900 } }, /too few for 1 sub-agents/],
  ["a stranger", "task_broadcast", { message: "Stop.", to: ["thr_x"] }, /thr_x is not a sub-agent/],
  ["a receiver twice", "task_broadcast", { message: "Stop.", to: ["thr_x", "thr_x"] }, /names a sub-agent twice/],
])("a call with %s is refused to the model before a person is asked", async (_what, name, args, says) => {
  const rt = createCrewRuntime(() => ({ ...call(name, args), action: "confirm" }));
  const { turn } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const { outcome } = unwrap(await turn());
  expect(outcome.thread.gate).toBeNull();
  expect(outcome.turn?.receipts).toMatchObject([{ name, success: false, gate_id: null }]);
  expect(outcome.turn?.observation?.text).toMatch(says);
});

test("a thread of the same tenant that is not a sub-agent gets no message", async () => {
  let to = "";
  const rt = createCrewRuntime((goal) =>
    goal === "Parent" ? call("task_broadcast", { message: "Stop.", to: [to] }) : DONE,
  );
  const stranger = await createTestThread(rt, { goal: "Stranger", mode: "direct" });
  to = stranger.at.thread;
  unwrap(await stranger.turn());
  const { turn } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  expect(unwrap(await turn()).outcome.turn?.observation?.text).toContain(`${to} is not a sub-agent of this thread`);
});

test("a call with nothing against it waits for the person it asks", async () => {
  const rt = createCrewRuntime(() => ({ ...call("delegate_task", { task: "Look" }), action: "confirm" }));
  const { turn } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  expect(unwrap(await turn()).outcome.thread.gate).toMatchObject({ kind: "confirmation" });
});

test("an imported file that names another thread as its sub-agent can neither cancel nor read it", async () => {
  const play: Play = (goal) => (goal === "Parent" ? call("delegate_task", { task: "A" }) : DONE);
  const rt = createCrewRuntime(play);
  const { at, turn } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const [child] = unwrap(await turn()).outcome.thread.children ?? [];
  const file = unwrap(verifyExport(unwrap(await exportThread(rt, at)), rt.hash.sha256));
  const stranger = await createTestThread(rt, { goal: "Stranger", mode: "direct" });
  const rows = file.records.map((row) => ({
    ...row,
    state: row.state.replaceAll(String(child), stranger.at.thread),
  }));
  const forged = writeExport(
    { thread: at.thread, exported_at: file.header.exported_at, rows, blobs: file.blobs },
    rt.hash.sha256,
  );
  unwrap(await removeThread(rt, at, "tester"));
  unwrap(await importThread(rt, at.tenant, forged));
  const { outcome } = unwrap(await attachTestThread(rt, at.thread).turn({ type: "cancel" }));
  expect(outcome.turn?.observation?.raw).toMatchObject({ children: [{ outcome: "removed", summary: "" }] });
  expect((await stateOf(rt, stranger.at.thread)).machine).toMatchObject({ state: "execute", outcome: null });
});
