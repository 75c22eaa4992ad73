import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { createApp } from "../../src/http/app.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { verifyExport, writeExport } from "../../src/schema/export.ts";
import { LOCAL_TENANT, TenantId, type ThreadRef } from "../../src/schema/ids.ts";
import { fail } from "../../src/schema/problem.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestRuntime,
  unwrap,
} from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
import { callTool, doneDecision } from "../support/story.ts";
import { createWriteTool, look } from "../support/tools.ts";

const PLAN = {
  action: "plan_done",
  speak: "Two steps.",
  plan_steps: [
    { content: "Look", needs: "observation" },
    { content: "Write", needs: "write" },
  ],
};
const SCRIPT = [
  PLAN,
  callTool("look", { at: "desk" }),
  { action: "next_plan", goal_check: "seen" },
  callTool("write", { line: "a" }, "confirm"),
  doneDecision,
  "Written.",
];
const { sha256 } = nodeHash;
const folder = mkdtempSync(join(tmpdir(), "pawl-export-"));
const rowsOf = async (store: ThreadStore, at: ThreadRef) => unwrap(await store.records(at, { after: -1, limit: 100 }));

type ExportRow = Parameters<typeof writeExport>[0]["rows"][number];

/** A thread on SQLite that has made an observation and now waits for the approval of a write. */
let from: TestRuntime;
let at: ThreadRef;
let file: string;
const written: string[] = [];
const tools = [look, createWriteTool(written)];

async function approve(rt: TestRuntime) {
  const head = unwrap(await rt.store.list(LOCAL_TENANT, { gated: true, limit: 1 }))[0];
  const gate = head?.gate;
  if (!gate || !("digest" in gate)) throw new Error("no gate waits for a yes");
  return attachTestThread(rt, at.thread).turn({
    type: "confirm",
    gate_id: gate.id,
    digest: gate.digest,
    decision: "approve",
  });
}

beforeAll(async () => {
  const sqlite = unwrap(await createSqliteStore({ path: join(folder, "pawl.db") }));
  from = createTestRuntime(SCRIPT, tools, { store: sqlite.threads, settings: sqlite.settings });
  const thread = await createTestThread(from, { goal: "Write a line", metadata: { of: "export" } });
  at = thread.at;
  unwrap(await thread.turn());
  unwrap(await approve(from));
  for (let turn = 0; turn < 3; turn++) unwrap(await thread.turn());
  file = unwrap(await exportThread(from, at));
});
afterAll(async () => {
  await from.store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a third-party store that cannot create a thread with all its records. */
function withoutWhole(): ThreadStore {
  const { createFromSnapshot: _, ...store } = createMemoryStore();
  return store;
}

describe("a thread that moves", () => {
  test("cannot be loaded, listed or answered before its last record is there", async () => {
    const store = createMemoryStore();
    const seen: string[] = [];
    const look = async (): Promise<void> => {
      const { value: gates } = { value: unwrap(await store.list(LOCAL_TENANT, { limit: 1 })) };
      seen.push(`${problemCode(await store.load(at, 1))} ${gates.length}`);
    };
    const watched = Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        async (...args: unknown[]) => {
          await look();
          const result = await (method as (...given: unknown[]) => unknown)(...args);
          await look();
          return result;
        },
      ]),
    ) as unknown as ThreadStore;
    const to = createTestRuntime([], tools, { store: watched });
    unwrap(await importThread(to, LOCAL_TENANT, file));
    expect(new Set(seen)).toEqual(new Set(["thread_not_found 0", "ok 1"]));
    expect(seen.slice(seen.indexOf("ok 1")), "it does not disappear again").not.toContain("thread_not_found 0");
    expect(await rowsOf(store, at)).toEqual(await rowsOf(from.store, at));
  });

  test("starts on SQLite, finishes in memory, and keeps its rows byte by byte", async () => {
    const to = createTestRuntime([doneDecision, "Written."], tools);
    const before = await rowsOf(from.store, at);
    const arrived = unwrap(await importThread(to, LOCAL_TENANT, file));
    expect(arrived).toMatchObject({ kind: "waiting", next: "confirm", thread: { id: at.thread } });
    expect(await rowsOf(to.store, at)).toEqual(before);
    const [listed] = unwrap(await to.store.list(LOCAL_TENANT, { limit: 10 }));
    expect(listed).toMatchObject({ thread: at.thread, state: "confirm", metadata: { of: "export" } });

    written.length = 0;
    unwrap(await approve(to));
    unwrap(await attachTestThread(to, at.thread).turn());
    const done = unwrap(await attachTestThread(to, at.thread).turn());
    expect(done.outcome).toMatchObject({ kind: "delivered", outcome: "completed", thread: { evidence: "proven" } });
    expect(written).toHaveLength(1);
  });

  test("takes its blobs along", async () => {
    const { blobs } = unwrap(verifyExport(file, sha256));
    expect(blobs.length).toBeGreaterThan(0);
    const to = createTestRuntime([], tools);
    unwrap(await importThread(to, LOCAL_TENANT, file));
    for (const { hash, text } of blobs) expect(unwrap(await to.store.getBlob(at, hash))).toBe(text);
  });

  test("can move to another tenant, where its open gate can still be approved", async () => {
    const to = createTestRuntime([doneDecision, "Written."], tools);
    const tenant = TenantId.parse("acme");
    const { thread } = unwrap(await importThread(to, tenant, file));
    if (thread.gate?.kind !== "confirmation") throw new Error("no call waits");
    const { id: gate_id, digest } = thread.gate;
    written.length = 0;
    const yes = { type: "confirm", gate_id, digest, decision: "approve" } as const;
    unwrap(await attachTestThread(to, thread.id).turn(yes, { at: { tenant, thread: thread.id } }));
    expect(written).toHaveLength(1);
    expect(unwrap(await to.store.list(LOCAL_TENANT, { limit: 1 }))).toEqual([]);
  });

  test("continues its background run", async () => {
    const here = createTestRuntime([], tools);
    const driven = await createTestThread(here, { goal: "Look", mode: "direct", run: "background" });
    const there = createTestRuntime([], tools);
    unwrap(await importThread(there, LOCAL_TENANT, unwrap(await exportThread(here, driven.at))));
    const due = unwrap(await there.store.dueDeliveries(there.clock.now(), 10));
    expect(due.map(({ id, thread }) => [id, thread])).toEqual([["wake", driven.at.thread]]);
  });

  test("cannot be exported while a call is running", async () => {
    const die = (point: string): void => {
      if (point === "intend.after") throw new Error("died");
    };
    const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool([], { confirm: false })], {
      faults: { at: die },
    });
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    await expect(thread.turn()).rejects.toThrow("died");
    expect(problemCode(await exportThread(rt, thread.at))).toBe("turn_running");
  });

  test("cannot be imported where it already exists, and says what to do", async () => {
    const refused = { code: "thread_moved", message: expect.stringContaining("already exists; delete it") };
    expect(await importThread(from, LOCAL_TENANT, file)).toMatchObject({ ok: false, problem: refused });
  });

  test("does not extend the older copy that was left where it came from", async () => {
    const elsewhere = createTestRuntime([doneDecision, "Written."], tools);
    unwrap(await importThread(elsewhere, LOCAL_TENANT, file));
    written.length = 0;
    unwrap(await approve(elsewhere));
    const before = await rowsOf(from.store, at);
    const back = unwrap(await exportThread(elsewhere, at));
    expect(problemCode(await importThread(from, LOCAL_TENANT, back))).toBe("thread_moved");
    expect(await rowsOf(from.store, at)).toEqual(before);
    expect(before.length).toBeLessThan((await rowsOf(elsewhere.store, at)).length);
    expect(written).toHaveLength(1);
  });

  test("is stored once if two import it at the same time, or one of them an older file", async () => {
    const elsewhere = createTestRuntime([doneDecision, "Written."], tools);
    unwrap(await importThread(elsewhere, LOCAL_TENANT, file));
    unwrap(await approve(elsewhere));
    const newer = unwrap(await exportThread(elsewhere, at));
    for (const files of [
      [file, newer],
      [newer, file],
      [newer, newer],
    ]) {
      const sqlite = unwrap(await createSqliteStore({ path: join(mkdtempSync(join(folder, "two-")), "pawl.db") }));
      const to = createTestRuntime([], tools, { store: sqlite.threads });
      const results = await Promise.all(files.map((one) => importThread(to, LOCAL_TENANT, one)));
      // The older file is the beginning of the newer one, so both may have been stored, but never a mixture of the
      // older one and the rest of the newer one.
      const last = (await rowsOf(to.store, at)).length;
      expect(files.map((one) => unwrap(verifyExport(one, sha256)).records.length)).toContain(last);
      expect(results.some(({ ok }) => ok)).toBe(true);
      for (const result of results) if (!result.ok) expect(result.problem.code).toBe("thread_moved");
      expect(unwrap(await to.store.list(LOCAL_TENANT, { limit: 5 }))).toMatchObject([{ version: last - 1 }]);
      await sqlite.threads.close();
    }
  });

  test("is complete after an interrupted import is repeated", async () => {
    const { records } = unwrap(verifyExport(file, sha256));
    const [first, second] = records;
    if (!first || !second) throw new Error("too few records");
    const to = createTestRuntime([], tools, { store: withoutWhole() });
    unwrap(await to.store.create(at, first, null));
    unwrap(await to.store.append(at, second));
    unwrap(await importThread(to, LOCAL_TENANT, file));
    expect(await rowsOf(to.store, at)).toEqual(await rowsOf(from.store, at));
  });

  test("with one record continues its background run even if the import was interrupted before its wake-up", async () => {
    const here = createTestRuntime([], tools);
    const driven = await createTestThread(here, { goal: "Look", mode: "direct", run: "background" });
    const one = unwrap(await exportThread(here, driven.at));
    const store = withoutWhole();
    const unavailable = async () => fail("store_unavailable", "Not now.");
    const broken = createTestRuntime([], tools, { store: { ...store, putDelivery: unavailable } });
    expect(problemCode(await importThread(broken, LOCAL_TENANT, one))).toBe("store_unavailable");
    const there = createTestRuntime([], tools, { store });
    unwrap(await importThread(there, LOCAL_TENANT, one));
    const due = unwrap(await there.store.dueDeliveries(there.clock.now(), 10));
    expect(due.map(({ id, thread }) => [id, thread])).toEqual([["wake", driven.at.thread]]);
  });

  test("is not imported without its blobs if it is removed during the import", async () => {
    const here = createTestRuntime([callTool("look", { at: "desk ".repeat(2000) })], tools);
    const large = await createTestThread(here, { goal: "Look", mode: "direct" });
    unwrap(await large.turn());
    const one = unwrap(await exportThread(here, large.at));
    expect(unwrap(verifyExport(one, sha256)).blobs).not.toEqual([]);
    const store = withoutWhole();
    const putBlob: ThreadStore["putBlob"] = async (at, hash, text) => {
      const put = await store.putBlob(at, hash, text);
      await store.remove(at);
      return put;
    };
    const to = createTestRuntime([], tools, { store: { ...store, putBlob } });
    expect(problemCode(await importThread(to, LOCAL_TENANT, one))).toBe("thread_not_found");
    expect(problemCode(await store.load(large.at, 1))).toBe("thread_not_found");
  });

  test("does not overwrite another thread with the same id", async () => {
    const { records } = unwrap(verifyExport(file, sha256));
    const [first] = records;
    if (!first) throw new Error("no record");
    const to = createTestRuntime([], tools);
    const { hash: _, ...row } = first;
    unwrap(await to.store.create(at, { ...row, commit_id: `cmt_${"0".repeat(26)}` }, null));
    expect(problemCode(await importThread(to, LOCAL_TENANT, file))).toBe("thread_moved");
  });
});

describe("a file that was changed", () => {
  const lines = (): string[] => file.trimEnd().split("\n");
  const refused = async (text: string): Promise<void> => {
    const to = createTestRuntime([], tools);
    expect(problemCode(await importThread(to, LOCAL_TENANT, text))).toBe("export_invalid");
    expect(unwrap(await to.store.list(LOCAL_TENANT, { limit: 1 }))).toEqual([]);
    expect(problemCode(await to.store.load(at, 1))).toBe("thread_not_found");
  };

  test("is refused whichever line is missing, and nothing is stored", async () => {
    for (const i of lines().keys()) await refused(lines().toSpliced(i, 1).join("\n"));
  });

  test("is refused whichever line is duplicated", async () => {
    for (const [i, line] of lines().entries()) await refused(lines().toSpliced(i, 0, line).join("\n"));
  });

  test("is refused whichever field of any line is changed", async () => {
    for (const [i, line] of lines().entries()) {
      const fields = JSON.parse(line) as Record<string, string | number>;
      for (const [name, value] of Object.entries(fields)) {
        const other = typeof value === "number" ? value + 1 : value.replace(/[0-9a-z](?=[^0-9a-z]*$)/, otherThan);
        expect(other).not.toBe(value);
        await refused(
          lines()
            .with(i, JSON.stringify({ ...fields, [name]: other }))
            .join("\n"),
        );
      }
    }
  });

  test("is refused with an extra field, with a lone surrogate, truncated, empty, or in another format", async () => {
    const [header = ""] = lines();
    await refused(lines().with(0, header.replace("{", '{"more":1,')).join("\n"));
    await refused(
      lines()
        .with(1, (lines()[1] ?? "").replace('"entry":"', '"entry":"\\ud800'))
        .join("\n"),
    );
    await refused(file.slice(0, -40));
    await refused("");
    await refused("null\n");
  });

  test("is refused if the chain was recomputed but the rows are inconsistent", async () => {
    const { header, records, blobs } = unwrap(verifyExport(file, sha256));
    const rows = records.map(({ hash: _, ...row }) => ({ ...row, state: row.state.replace('"run":', '"ran":') }));
    await refused(writeExport({ thread: header.thread, exported_at: header.exported_at, rows, blobs }, sha256));
    const renamed = records.map(({ hash: _, ...row }) => ({ ...row, commit_id: `${row.commit_id.slice(0, -1)}!` }));
    await refused(
      writeExport({ thread: header.thread, exported_at: header.exported_at, rows: renamed, blobs }, sha256),
    );
  });

  test.each([
    [
      "commit id",
      (row: ExportRow) => ({ ...row, commit_id: row.commit_id.slice(0, -1) + otherThan(row.commit_id.slice(-1)) }),
    ],
    ["turn", (row: ExportRow) => ({ ...row, turn: row.turn + 1 })],
  ])(
    "is refused if the %s of a row is not that of its entry, although the chain was recomputed",
    async (_name, change) => {
      const { header, records, blobs } = unwrap(verifyExport(file, sha256));
      const rows = records.map(({ hash: _, ...row }) => (row.version === 1 ? change(row) : row));
      const text = writeExport({ thread: header.thread, exported_at: header.exported_at, rows, blobs }, sha256);
      const imported = await importThread(createTestRuntime([], tools), LOCAL_TENANT, text);
      expect(imported).toMatchObject({ ok: false, problem: { message: expect.stringContaining("do not match") } });
    },
  );
});

const otherThan = (char: string): string => (char === "0" ? "1" : "0");

describe("over HTTP", () => {
  const local = { host: "localhost" };
  const ndjson = { ...local, "content-type": "application/x-ndjson" };

  test("the file is exported, imported elsewhere under the same id, and not a second time", async () => {
    const out = await createApp(testSettings(from)).request(`/v1/threads/${at.thread}/export`, { headers: local });
    expect([out.status, out.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const body = await out.text();
    const app = createApp(testSettings(createTestRuntime([], tools)));
    const post = (headers: Record<string, string> = ndjson) =>
      app.request("/v1/import", { method: "POST", headers, body });
    const first = await post();
    expect([first.status, first.headers.get("location")]).toEqual([201, `/v1/threads/${at.thread}`]);
    expect(await first.json()).toMatchObject({ thread: { id: at.thread }, turn: null, next: "confirm" });
    expect(await (await post()).json()).toMatchObject({ code: "thread_moved", status: 409 });
    expect((await post({ ...local, "content-type": "application/json" })).status).toBe(415);
  });

  test("a key without the scope admin does neither", async () => {
    const app = createApp(
      testSettings(from, { keys: () => [aKeyRow("ada", "local", ["read", "advance", "confirm"])] }),
    );
    const headers = { ...ndjson, authorization: `Bearer ${apiKeyFor("ada")}` };
    expect((await app.request(`/v1/threads/${at.thread}/export`, { headers })).status).toBe(403);
    expect((await app.request("/v1/import", { method: "POST", headers, body: file })).status).toBe(403);
  });

  test("a file above the usual body limit is accepted, one above 64 MB is not", async () => {
    const { header, records, blobs } = unwrap(verifyExport(file, sha256));
    const text = "x".repeat(3_000_000);
    const large = [...blobs, { hash: sha256(text), text }];
    const rows = records.map(({ hash: _, ...row }) => row);
    const body = writeExport({ thread: header.thread, exported_at: header.exported_at, rows, blobs: large }, sha256);
    const app = createApp(testSettings(createTestRuntime([], tools)));
    expect((await app.request("/v1/import", { method: "POST", headers: ndjson, body })).status).toBe(201);
    const announced = { ...ndjson, "content-length": "67108865" };
    expect((await app.request("/v1/import", { method: "POST", headers: announced, body: "{}" })).status).toBe(413);
  });
});

test("a remembered approval is not imported, neither in the newest state nor in an older one", async () => {
  const rt = createTestRuntime([callTool("write", { line: "a" }, "confirm")], tools);
  const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
  const gate = unwrap(await thread.turn()).outcome.thread.gate;
  if (gate?.kind !== "confirmation") throw new Error("no gate waits for a yes");
  const { id: gate_id, digest } = gate;
  const yes = { type: "confirm", gate_id, digest, decision: "approve", remember: "thread" } as const;
  expect(unwrap(await thread.turn(yes)).outcome.thread.remembered_approvals).toHaveLength(1);
  const other = createTestRuntime([], tools);
  const imported = unwrap(await importThread(other, LOCAL_TENANT, unwrap(await exportThread(rt, thread.at))));
  expect(imported.thread.remembered_approvals).toEqual([]);
  expect((await rowsOf(other.store, thread.at)).filter(({ state }) => state.includes("approvals"))).toEqual([]);
});
