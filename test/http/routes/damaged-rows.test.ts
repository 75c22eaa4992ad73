import { describe, expect, test } from "vitest";
import { createMemoryData, createMemoryStore } from "../../../src/adapters/store-memory.ts";
import { createApp } from "../../../src/http/app.ts";
import { readMeta } from "../../../src/schema/meta.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";
import { createWriteTool } from "../../support/tools.ts";

const DAMAGES: readonly (readonly [string, string])[] = [
  ["is cut in half", '{"thread": "thr_'],
  ["is empty", ""],
  ["is no object", "null"],
  ["lacks what a list shows", '{"goal": "x"}'],
  ["has a state that there is not", '{"state": "dreaming"}'],
];

async function aPlace() {
  const data = createMemoryData();
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool([])], {
    store: createMemoryStore(data),
  });
  const app = createApp(testSettings(rt));
  const send = async (method: string, path: string, body?: object) => {
    const headers = { host: "127.0.0.1", ...(body ? { "content-type": "application/json" } : {}) };
    const answer = await app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: answer.status, body: (await answer.json()) as Record<string, Record<string, unknown>[]> };
  };
  const make = async (goal: string): Promise<string> => {
    rt.clock.advance(1_000);
    const { body } = await send("POST", "/v1/threads", { goal, mode: "direct" });
    return (body as unknown as { thread: { id: string } }).thread.id;
  };
  const damage = (thread: string, text: string): void => {
    const row = data.metas.get("local")?.get(thread);
    if (row) data.metas.get("local")?.set(thread, { ...row, text });
  };
  return { data, send, make, damage };
}

describe.each(DAMAGES)("a row of the list that %s", (_title, text) => {
  test("is marked, shows what the thread itself says, and all others are listed", async () => {
    const { send, make, damage } = await aPlace();
    const [first, second, third] = [await make("First"), await make("Second"), await make("Third")];
    damage(second, text);
    const { status, body } = await send("GET", "/v1/threads");
    expect([status, body.threads?.map(({ id }) => id)]).toEqual([200, [third, second, first]]);
    expect(body.threads?.map(({ damaged }) => damaged)).toEqual([undefined, true, undefined]);
    expect(body.threads?.[1]).toMatchObject({ goal: "Second", state: "execute" });
  });

  test("does not end a page, and its gate is still in the inbox", async () => {
    const { send, make, damage } = await aPlace();
    const [first, second] = [await make("First"), await make("Second")];
    await send("POST", `/v1/threads/${second}/turns`, {});
    damage(second, text);
    const page = (await send("GET", "/v1/threads?limit=1")).body as unknown as { threads: unknown[]; cursor: string };
    expect(page.threads).toMatchObject([{ id: second, damaged: true }]);
    const next = await send("GET", `/v1/threads?limit=1&cursor=${page.cursor}`);
    expect(next.body.threads).toMatchObject([{ id: first }]);
    const { gates } = (await send("GET", "/v1/gates")).body;
    expect(gates).toMatchObject([{ thread: second, goal: "Second", gate: { kind: "confirmation" } }]);
  });
});

test("a row whose thread cannot be read either is still listed at its place", async () => {
  const { data, send, make, damage } = await aPlace();
  const [first, second] = [await make("First"), await make("Second")];
  damage(second, "{");
  const rows = data.records.get(`local/${second}`) ?? [];
  data.records.set(
    `local/${second}`,
    rows.map((row) => ({ ...row, state: "{" })),
  );
  const { status, body } = await send("GET", "/v1/threads");
  expect([status, body.threads?.map(({ id }) => id)]).toEqual([200, [second, first]]);
  expect(body.threads?.[0]).toMatchObject({ damaged: true, goal: "", gate: null });
});

test("one damaged schedule is named, and the others are listed", async () => {
  const { data, send } = await aPlace();
  const input = { when: { kind: "interval", every_s: 60 }, what: { kind: "thread", create: { goal: "Go" } } };
  const ids: string[] = [];
  for (const name of ["one", "two"]) {
    const { body } = await send("POST", "/v1/schedules", { ...input, name });
    ids.push((body as unknown as { schedule: { id: string } }).schedule.id);
  }
  for (const state of ["{", '{"schema": 1}']) {
    const rows = data.records.get(`local/${ids[0]}`) ?? [];
    data.records.set(
      `local/${ids[0]}`,
      rows.map((row) => ({ ...row, state })),
    );
    const { status, body } = await send("GET", "/v1/schedules");
    expect([status, body.schedules?.map(({ id }) => id), body.damaged]).toEqual([200, [ids[1]], [ids[0]]]);
  }
});

test("one damaged workflow is left out, and an unreadable list is a stored state, not a bug", async () => {
  const { data, send } = await aPlace();
  const at = `local/wfl_${"0".repeat(26)}`;
  const entry = { name: "pair", hash: "0".repeat(64), description: "", stored_at: "2026-01-01T00:00:00.000Z" };
  const row = { version: 0, commit_id: "cmt_x", turn: 0, entry: "{}" };
  const put = (state: string) => data.records.set(at, [{ ...row, state }]);
  put(JSON.stringify({ workflows: [null, { name: 3 }, entry] }));
  expect(await send("GET", "/v1/workflows")).toMatchObject({ status: 200, body: { workflows: [entry] } });
  for (const state of ["{", "null", '{"workflows": 1}']) {
    put(state);
    expect(await send("GET", "/v1/workflows")).toMatchObject({ status: 500, body: { code: "state_corrupt" } });
  }
});

test("rows of another release, with fields that this one does not know, are not damaged", () => {
  const row = {
    thread: "thr_x",
    state: "rest",
    agent: "default",
    goal: "Go",
    gate: { id: "gat_x", kind: "vote", more: 1 },
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    version: 3,
    color: "red",
  };
  const place = { thread: "thr_x", created_at: row.created_at, state: "rest" };
  expect(readMeta(place, () => row)).toEqual(row);
  expect(readMeta(place, () => ({ ...row, goal: 1 }))).toMatchObject({ damaged: true, state: "rest" });
});
