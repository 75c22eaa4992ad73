// Counts the commits (each of which is one sync), pages and bytes of an operation on SQLite. A higher count is a
// regression.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { createSqliteStore, type SqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import { type DeliveryHandler, startWorker } from "../../src/jobs/worker.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { TurnResult } from "../../src/schema/turn-result.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { advanceUntil } from "../../src/turn/until.ts";
import { callTool, done } from "../support/decisions.ts";
import { driveOptions, turnRequestOn } from "../support/drive-options.ts";
import { createTestRuntime, createTestThread, type TestThread, unwrap } from "../support/runtime.ts";
import { type LogUse, logUseOf } from "../support/wal-log.ts";

const OBSERVATION = "An observation of two kilobytes. ".repeat(64).slice(0, 2048);
const look = defineTool(
  { name: "look", description: "Looks at a place.", input: z.object({ at: z.int() }), output: z.string() },
  ({ at }) => `${at} ${OBSERVATION}`.slice(0, 2048),
);
const write = defineTool(
  {
    name: "write",
    description: "Writes.",
    permission: "WRITE",
    effect: "keyed",
    input: z.object({ at: z.int() }),
    output: z.string(),
  },
  ({ at }) => `wrote ${at}`,
);
const looks = (count: number) => Array.from({ length: count }, (_, at) => callTool("look", { at }));

let folder = "";
let path = "";
let store: SqliteStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-commits-"));
  path = join(folder, "pawl.db");
  store = unwrap(await createSqliteStore({ path }));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const open = (script: Parameters<typeof createTestRuntime>[0]) =>
  createTestRuntime(script, [look, write], { store: store.threads, settings: store.settings });

const measure = (work: () => Promise<unknown>): Promise<LogUse> => logUseOf(path, work);

/** The size of a page with its header in the log. */
const PAGE_BYTES = 4_120;

/**
 * Expects this use of the log. The pages are an upper limit, because their number varies slightly with how rows share
 * them.
 */
function expectUse(use: LogUse, commits: number, pages_max: number): void {
  expect(use.commits).toBe(commits);
  expect(use.pages).toBeLessThanOrEqual(pages_max);
  expect(use.bytes).toBeLessThanOrEqual(pages_max * PAGE_BYTES);
}

test("a create is one commit", async () => {
  const rt = open([]);
  await createTestThread(rt, { goal: "Look", mode: "direct" });
  expectUse(await measure(() => createTestThread(rt, { goal: "Look", mode: "direct" })), 1, 7);
});

test("a background create is one commit, with its wake-up", async () => {
  const rt = open([]);
  await createTestThread(rt, { goal: "Look", mode: "direct" });
  const create = () => createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
  expectUse(await measure(create), 1, 10);
  expect(unwrap(await store.threads.dueDeliveries(rt.clock.now(), 10))).toHaveLength(1);
});

test("a pure turn is one commit, from the first on", async () => {
  const rt = open(looks(5));
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  expectUse(await measure(() => thread.turn().then(unwrap)), 1, 8);
  for (let n = 0; n < 4; n += 1) expectUse(await measure(() => thread.turn().then(unwrap)), 1, 6);
});

test("a fork is one commit of the same size after 5 and after 40 turns, and copies no record", async () => {
  const rt = open(looks(40));
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  for (let n = 1; n <= 40; n += 1) {
    unwrap(await thread.turn());
    if (n !== 1 && n !== 5 && n !== 40) continue;
    const fork = () => forkThread(rt, thread.at, n).then(unwrap);
    expectUse(await measure(fork), 1, 14);
  }
  const rows = new DatabaseSync(path, { readOnly: true });
  expect(rows.prepare("SELECT count(*) AS n FROM records").get()).toEqual({ n: 41 + 3 });
  rows.close();
});

async function approve(thread: TestThread, outcome: TurnResult): Promise<TurnResult> {
  const gate = outcome.thread.gate;
  if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
  const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
  return unwrap(await thread.turn(input)).outcome;
}

test("an approved call is one commit to the gate and four from the approval to the end", async () => {
  const rt = open([callTool("write", { at: 1 }), done, "All written."]);
  const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
  let outcome: TurnResult | undefined;
  const gated = async () => {
    outcome = unwrap(await thread.turn()).outcome;
  };
  expectUse(await measure(gated), 1, 12);
  const approved = async () => {
    if (outcome) outcome = await approve(thread, outcome);
  };
  expectUse(await measure(approved), 2, 14);
  expectUse(await measure(() => thread.turn().then(unwrap)), 1, 7);
  const delivered = async () => {
    outcome = unwrap(await thread.turn()).outcome;
  };
  expectUse(await measure(delivered), 1, 7);
  expect(outcome?.kind).toBe("delivered");
});

test("an approval whose request goes on to the end is three commits: intended, settled, delivered", async () => {
  const rt = open([callTool("write", { at: 1 }), done, "All written."]);
  const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
  const { outcome } = unwrap(await thread.turn());
  const gate = outcome.thread.gate;
  if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
  const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
  const toTheEnd = async () => {
    const ended = unwrap(await advanceUntil(rt, turnRequestOn(rt, thread.at, { input }), 10));
    expect(ended.outcome.kind).toBe("delivered");
  };
  expectUse(await measure(toTheEnd), 3, 22);
});

test("a background turn is one commit, and a slice two more: to lease the run and to requeue it", async () => {
  const rt = open(looks(6));
  await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
  const slice = async (slice_turns: number): Promise<void> => {
    const [due] = unwrap(await store.threads.dueDeliveries(rt.clock.now(), 1));
    if (!due) throw new Error("nothing is due");
    await runSlice(rt, due, driveOptions({ slice_turns }));
  };
  expectUse(await measure(() => slice(1)), 3, 12);
  expectUse(await measure(() => slice(4)), 6, 24);
});

test("background jobs of five turns, four at a time, take at most 3.5 commits each", async () => {
  const JOBS = 24;
  const decide = ({ purpose, messages }: ModelRequest) => {
    if (purpose === "deliver") return "All seen.";
    const seen = new Set(messages.flatMap(({ content }) => content.match(/seen at \d/g) ?? [])).size;
    return seen < 3 ? callTool("glance", { at: seen }) : done;
  };
  const glance = defineTool(
    { name: "glance", description: "Glances.", input: z.object({ at: z.int() }), output: z.string() },
    ({ at }) => `seen at ${at}`,
  );
  const rt = createTestRuntime(Array<typeof decide>(JOBS * 5).fill(decide), [glance], {
    store: store.threads,
    settings: store.settings,
  });
  for (let n = 0; n < JOBS; n += 1) await createTestThread(rt, { goal: `Job ${n}`, mode: "direct", run: "background" });
  let turns = 0;
  const wake: DeliveryHandler = async (due) => {
    const slice = await runSlice(rt, due, driveOptions());
    if (slice.kind === "parked") turns += slice.turns;
    return slice;
  };
  const work = async (): Promise<void> => {
    const worker = startWorker(rt, {
      concurrency: 4,
      poll_ms: 100,
      handlers: { wake, tick: wake, webhook: wake },
      onError: (_due, error) => expect.unreachable(String(error)),
    });
    await vi.waitFor(
      async () => expect(unwrap(await store.threads.dueDeliveries(Number.MAX_SAFE_INTEGER, 1))).toEqual([]),
      { timeout: 20_000 },
    );
    await worker.drain();
  };
  const { commits } = await measure(work);
  expect(turns).toBe(JOBS * 5);
  expect(commits / JOBS).toBeLessThanOrEqual(3.5);
});
