import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../../support/decisions.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { look } from "../../support/tools.ts";

function* looks() {
  for (let n = 0; ; n++) yield callTool("look", { at: `place ${n}` });
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ script: looks(), tools: [look] });
});
afterAll(async () => {
  await server.stop();
});

const aThread = async (goal = "Look around"): Promise<string> =>
  unwrap(await server.client().create({ goal, mode: "direct" })).thread.id;

describe("a version", () => {
  test("is the ETag of every response that shows a thread", async () => {
    const thread = await aThread();
    const url = `${server.url}/v1/threads/${thread}`;
    expect((await fetch(url)).headers.get("etag")).toBe('"0"');
    const advanced = await fetch(`${url}/turns`, { method: "POST" });
    expect([advanced.headers.get("etag"), (await advanced.json()).thread.version]).toEqual(['"1"', 1]);
    expect((await fetch(url)).headers.get("etag")).toBe('"1"');
  });

  test("that is still the newest allows a turn, in both notations", async () => {
    const thread = await aThread();
    expect(unwrap(await server.client().advance(thread, null, { if_match: 0 })).thread.version).toBe(1);
    const plain = await fetch(`${server.url}/v1/threads/${thread}/turns`, {
      method: "POST",
      headers: { "if-match": "1" },
    });
    expect(plain.status).toBe(200);
  });

  test("that is older is refused with the newest, and nothing happens", async () => {
    const client = server.client();
    const thread = await aThread();
    unwrap(await client.advance(thread));
    const refused = await client.advance(thread, null, { if_match: 0 });
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: "version_mismatch", status: 412, details: { version: 1 } },
    });
    expect(problemCode(await client.advanceUntilPause(thread, null, { if_match: 7 }))).toBe("version_mismatch");
    expect(unwrap(await client.get(thread)).thread.version).toBe(1);
  });

  test("guards a delete", async () => {
    const client = server.client();
    const thread = await aThread();
    unwrap(await client.advance(thread));
    expect(problemCode(await client.call("DELETE", `/v1/threads/${thread}`, undefined, { if_match: 0 }))).toBe(
      "version_mismatch",
    );
    unwrap(await client.call("DELETE", `/v1/threads/${thread}`, undefined, { if_match: 1 }));
    expect(problemCode(await client.get(thread))).toBe("thread_not_found");
  });

  test("lets one of two callers through, and returns the newest version to the other", async () => {
    const client = server.client();
    const thread = await aThread();
    const sent = await Promise.all(Array.from({ length: 8 }, () => client.advance(thread, null, { if_match: 0 })));
    expect(sent.filter((one) => one.ok)).toHaveLength(1);
    for (const one of sent) {
      if (one.ok) continue;
      expect(["version_mismatch", "thread_moved"]).toContain(one.problem.code);
      expect(one.problem.details?.version).toBe(1);
    }
    expect(unwrap(await client.get(thread)).thread.version).toBe(1);
  });
});

describe("pages", () => {
  test("of threads show each once, newest first, also while others are created", async () => {
    const client = server.client();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.push(await aThread(`page ${i}`));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { threads: { id: string }[]; cursor: string | null } = unwrap(
        await client.list({ limit: 3, ...(cursor ? { cursor } : {}) }),
      );
      seen.push(...page.threads.map((thread) => thread.id));
      cursor = page.cursor;
      await aThread("in between");
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => made.includes(id))).toEqual(made.toReversed());
  });

  test("continue only with the filter they began with", async () => {
    const client = server.client();
    await aThread();
    await aThread();
    const { cursor } = unwrap(await client.list({ limit: 1, state: "execute" }));
    expect(cursor).not.toBeNull();
    unwrap(await client.list({ limit: 1, state: "execute", cursor: cursor ?? "" }));
    expect(problemCode(await client.list({ limit: 1, cursor: cursor ?? "" }))).toBe("cursor_invalid");
    expect(problemCode(await client.gates({ cursor: cursor ?? "" }))).toBe("cursor_invalid");
    expect(problemCode(await client.list({ cursor: "nonsense" }))).toBe("cursor_invalid");
  });

  test.each(["0", "201", "-1", "x", "1e2"])("have no limit of %s", async (limit) => {
    expect(problemCode(await server.client().call("GET", `/v1/threads?limit=${limit}`))).toBe("request_invalid");
  });

  test("of records go through all versions once", async () => {
    const client = server.client();
    const thread = await aThread();
    unwrap(await client.advanceUntilPause(thread, null, { max_turns: 5 }));
    const versions: number[] = [];
    let after: number | null = -1;
    while (after !== null) {
      const path: string = `/v1/threads/${thread}/turns?limit=2&after=${after}`;
      const page: { records: { version: number }[]; after: number | null } = unwrap(await client.call("GET", path));
      versions.push(...page.records.map((record) => record.version));
      after = page.after;
    }
    expect(versions).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
