// Searching and filtering the list of threads, with pages that neither repeat nor miss a thread.
import { describe, expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createThread } from "../../../src/threads/create.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";

type Page = { threads: { id: string; goal: string }[]; cursor: string | null };

async function createList(amount: number) {
  const rt = createTestRuntime([]);
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
  return { app, read, readAll };
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

  test("a cursor belongs to its search, and an unknown status is refused", async () => {
    const { app, read } = await createList(5);
    const { cursor } = await read("q=water&limit=2");
    const headers = { host: "localhost" };
    expect((await app.request(`/v1/threads?q=plants&cursor=${cursor}`, { headers })).status).toBe(400);
    expect((await app.request("/v1/threads?status=busy", { headers })).status).toBe(400);
    expect((await app.request(`/v1/threads?q=${"x".repeat(201)}`, { headers })).status).toBe(400);
  });
});
