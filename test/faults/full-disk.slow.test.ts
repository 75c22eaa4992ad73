// Tests a disk that fills up during turns and has space again later. SQLite itself reports that the disk is full.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type OpenFile, openFile } from "../../src/adapters/store-sqlite/open.ts";
import { createThreadStore } from "../../src/adapters/store-sqlite/thread-store.ts";
import { createApp } from "../../src/http/app.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import {
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestRuntime,
  type TestThread,
  unwrap,
} from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";

const BIG = "x".repeat(20_000);
const ROOM_PAGES = 30;

let folder = "";
let file: OpenFile;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-full-"));
  file = unwrap(await openFile({ path: join(folder, "pawl.db") }));
});
afterEach(() => {
  file.db.close();
  rmSync(folder, { recursive: true, force: true });
});

const fill = (): void => {
  const pages = Number(file.db.prepare("PRAGMA page_count").get()?.page_count);
  file.db.exec(`PRAGMA max_page_count = ${pages + ROOM_PAGES}`);
};
const makeRoom = (): void => file.db.exec("PRAGMA max_page_count = 1000000");

function aWriter(effect: "pure" | "keyed" | "unkeyed") {
  const done: (string | null)[] = [];
  const tool = defineTool(
    {
      name: "put",
      description: "Puts something and says much.",
      permission: effect === "pure" ? "READ" : "WRITE",
      effect,
      requires_confirmation: false,
      input: z.object({ n: z.int() }),
      output: z.string(),
    },
    (_input, { idempotency_key }) => {
      if (effect !== "keyed" || !done.includes(idempotency_key)) done.push(idempotency_key);
      return BIG;
    },
  );
  return { tool, done };
}

function* calls() {
  for (let n = 0; ; n++) yield { action: "continue", speak: "On.", tool_call: { name: "put", arguments: { n } } };
}

type Acknowledged = { readonly key: { hash: string; body: string }; readonly body: string };

/**
 * Runs turns with idempotency keys until one is refused because the disk is full. Returns that key and all acknowledged
 * turns.
 */
async function untilFull(thread: TestThread): Promise<{ acknowledged: Acknowledged[]; refused: Acknowledged["key"] }> {
  const acknowledged: Acknowledged[] = [];
  for (let n = 0; n < 200; n++) {
    const key = { hash: n.toString(16).padStart(18, "0"), body: "b" };
    const turn = await thread.turn(null, { key });
    if (!turn.ok) {
      expect(turn.problem).toMatchObject({ code: "store_unavailable", status: 503 });
      expect(turn.problem.message).toMatch(/full/);
      return { acknowledged, refused: key };
    }
    acknowledged.push({ key, body: JSON.stringify(turn.value.outcome) });
  }
  throw new Error("the disk never became full");
}

async function expectReplayable(thread: TestThread, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const { key, body } of acknowledged) {
    const again = unwrap(await thread.turn(null, { key }));
    expect(again.replayed).toBe(true);
    expect(JSON.stringify(again.outcome)).toBe(body);
  }
}

async function aThread(tool: ReturnType<typeof aWriter>["tool"]): Promise<{ rt: TestRuntime; thread: TestThread }> {
  const rt = createTestRuntime(calls(), [tool], { store: createThreadStore(file) });
  const thread = await createTestThread(rt, { goal: "Fill it", mode: "direct" });
  return { rt, thread };
}

test.each(["pure", "keyed"] as const)(
  "a %s call: no acknowledged turn is lost, and the thread continues once there is space",
  async (effect) => {
    const { tool, done } = aWriter(effect);
    const { rt, thread } = await aThread(tool);
    fill();
    const { acknowledged, refused } = await untilFull(thread);
    expect(acknowledged.length).toBeGreaterThan(0);
    // Reading still works on a full disk.
    await expectReplayable(thread, acknowledged);
    for (let n = 0; n < 20; n++)
      expect(["store_unavailable", "turn_running"]).toContain(problemCode(await thread.turn(null, { key: refused })));
    makeRoom();
    rt.clock.advance(120_000);
    const next = unwrap(await thread.turn(null, { key: refused }));
    expect(next.outcome.turn?.receipts.at(-1)).toMatchObject({ kind: "settled", success: true });
    await expectReplayable(thread, acknowledged);
    // A pure call may have run more than once, but a keyed one exactly once.
    if (effect === "keyed") expect(new Set(done).size).toBe(done.length);
    expect(unwrap(await thread.turn()).outcome.kind).toBe("advanced");
  },
);

test("an unkeyed call whose receipt could not be stored opens a doubt gate and is not repeated", async () => {
  const { tool, done } = aWriter("unkeyed");
  const { rt, thread } = await aThread(tool);
  fill();
  const { acknowledged, refused } = await untilFull(thread);
  const happened = done.length;
  makeRoom();
  rt.clock.advance(120_000);
  const next = unwrap(await thread.turn(null, { key: refused })).outcome;
  // If the disk was full before the intent was recorded, the call runs now, once. Otherwise a user decides.
  if (happened > acknowledged.length) expect(next.thread.gate?.kind).toBe("doubt");
  expect(done.length).toBe(acknowledged.length + 1);
  await expectReplayable(thread, acknowledged);
});

test("a server whose disk is full is not ready, although it still reads, and is ready again with room", async () => {
  const { tool } = aWriter("pure");
  const { rt } = await aThread(tool);
  const app = createApp(testSettings(rt));
  const ready = async () => {
    rt.clock.advance(60_000);
    const response = await app.request("/readyz", { headers: { host: "127.0.0.1" } });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  expect(await ready()).toEqual([200, undefined]);
  file.db.exec("CREATE TABLE junk (text TEXT)");
  const pages = Number(file.db.prepare("PRAGMA page_count").get()?.page_count);
  file.db.exec(`PRAGMA max_page_count = ${pages}`);
  for (const size of [20_000, 2_000, 200, 20])
    expect(() => {
      for (;;) file.db.prepare("INSERT INTO junk VALUES (?)").run("x".repeat(size));
    }).toThrow(/full/);
  expect(await ready()).toEqual([503, "store_unavailable"]);
  expect(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }))).toHaveLength(1);
  makeRoom();
  expect(await ready()).toEqual([200, undefined]);
});

test("the file is intact afterwards", async () => {
  const { tool } = aWriter("pure");
  const { thread } = await aThread(tool);
  fill();
  const { acknowledged } = await untilFull(thread);
  const other = new DatabaseSync(join(folder, "pawl.db"), { readOnly: true });
  expect(other.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(other.prepare("SELECT count(*) AS n FROM records").get()).toEqual({ n: acknowledged.length + 1 });
  other.close();
});
