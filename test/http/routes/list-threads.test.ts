// Tests searching and filtering the list of threads, with pages that neither repeat nor miss a thread.
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import { createApp } from "../../../src/http/app.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createThread } from "../../../src/threads/create.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";

type Page = { threads: { id: string; goal: string }[]; cursor: string | null };

async function createList(amount: number, store: ThreadStore = createMemoryStore()) {
  const rt = createTestRuntime([], [], { store });
  for (let i = 0; i < amount; i++) {
    const title = i % 100 === 0 ? { metadata: { title: `Hundred ${i}` } } : {};
    const input = { goal: `Water the plants ${i}`, ...title };
    unwrap(await createThread(rt, { tenant: LOCAL_TENANT, actor: "tester", input, key: null }));
  }
  const app = createApp(testSettings(rt));
  const read = async (query: string): Promise<Page> =>
    (await (await app.request(`/v1/threads?${query}`, { headers: { host: "localhost" } })).json()) as Page;
  const readAll = async (query: string): Promise<{ goals: string[]; pages: number }> => {
    const goals: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages++) {
      const page: Page = await read(`${query}${cursor ? `&cursor=${cursor}` : ""}`);
      goals.push(...page.threads.map(({ goal }) => goal));
      cursor = page.cursor;
    }
    return { goals, pages };
  };
  return { rt, app, read, readAll };
}

describe("the list of threads", () => {
  test("finds text in goals and titles, ignoring case", async () => {
    const { readAll } = await createList(250);
    expect((await readAll("q=PLANTS+249")).goals).toEqual(["Water the plants 249"]);
    expect((await readAll("q=hundred&limit=1")).goals).toHaveLength(3);
    expect((await readAll("q=nothing+like+this")).goals).toEqual([]);
    expect((await readAll("limit=7")).goals).toHaveLength(250);
    expect(new Set((await readAll("q=plants&limit=7")).goals).size).toBe(250);
  });

  test("filters by status and agent", async () => {
    const { read, readAll } = await createList(3);
    expect((await read("status=active")).threads).toHaveLength(3);
    for (const status of ["waiting", "failed", "idle"]) expect((await read(`status=${status}`)).threads).toEqual([]);
    const [agent] = (await read("")).threads.map((row) => (row as unknown as { agent: string }).agent);
    expect((await readAll(`agent=${agent}`)).goals).toHaveLength(3);
    expect((await readAll("agent=other")).goals).toEqual([]);
  });

  test("a rare match among many threads is found in several bounded requests", async () => {
    const { readAll } = await createList(2500);
    const { goals, pages } = await readAll("q=hundred+0");
    expect(goals).toEqual(["Water the plants 0"]);
    expect(pages).toBe(2);
  });

  test("lists by the last change, filters the same order, and says by what it is ordered", async () => {
    const { rt, app, read, readAll } = await createList(5);
    const { threads } = await read("");
    const body = JSON.stringify({ title: "Renamed" });
    const headers = { host: "localhost", "content-type": "application/json" };
    rt.clock.advance(1000);
    await app.request(`/v1/threads/${threads[3]?.id}`, { method: "PATCH", headers, body });
    const goals = ["Water the plants 1", ...[4, 3, 2, 0].map((n) => `Water the plants ${n}`)];
    expect((await readAll("order=activity&limit=2")).goals).toEqual(goals);
    expect((await readAll("order=activity&limit=1")).goals).toEqual(goals);
    expect((await readAll("order=activity&limit=1&q=renamed")).goals).toEqual(goals.slice(0, 1));
    expect((await readAll("order=activity&limit=2&state=plan")).goals).toEqual(goals);
    expect((await readAll("order=activity&limit=2&state=failed")).goals).toEqual([]);
    expect(await read("order=activity")).toMatchObject({ order: "activity" });
    expect(await read("order=created")).toMatchObject({ order: "created" });
    const { cursor } = await read("order=activity&limit=2");
    expect((await app.request(`/v1/threads?cursor=${cursor}`, { headers })).status).toBe(400);
    expect((await app.request("/v1/threads?order=name", { headers })).status).toBe(400);
  });

  test("a store without the order by activity lists by creation, and says so", async () => {
    const { listByActivity: _, ...store } = createMemoryStore();
    const { read } = await createList(3, store);
    const { threads, ...page } = await read("order=activity");
    expect(page).toEqual({ cursor: null, order: "created" });
    expect(threads.map(({ goal }) => goal.slice(-1))).toEqual(["2", "1", "0"]);
  });

  test("a cursor belongs to its search, and an unknown status is refused", async () => {
    const { app, read } = await createList(5);
    const { cursor } = await read("q=water&limit=2");
    const headers = { host: "localhost" };
    expect((await app.request(`/v1/threads?q=plants&cursor=${cursor}`, { headers })).status).toBe(400);
    expect((await app.request("/v1/threads?status=busy", { headers })).status).toBe(400);
    expect((await app.request(`/v1/threads?q=${"x".repeat(201)}`, { headers })).status).toBe(400);
  });
});
