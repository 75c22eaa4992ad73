// Plays whole threads on DynamoDB. Every turn uses a new store, as if another instance served it.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { createFetch, createRuntime } from "../../src/hosts/in-process.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { importIcs } from "../../src/toolkits/calendar/ics/import-ics.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createTimetable } from "../support/calendars.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { runToEnd } from "../support/run-to-end.ts";
import { attachTestThread, createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { callTool, doneDecision, positionOf } from "../support/story.ts";
import { clarify, createWriteTool, look } from "../support/tools.ts";
import { startCalendar, ZONE } from "../toolkits/calendar/calendar-tools.ts";

const plan = {
  action: "plan_done",
  speak: "Two steps.",
  plan_steps: [
    { content: "Look", needs: "observation" },
    { content: "Move", needs: "write" },
  ],
};
const next = { action: "next_plan", goal_check: "seen" };
const DUMPS = 22;

describe.runIf(hasDynamoServer())("stories on DynamoDB", () => {
  const server = useDynamoServer();

  /** Creates a runtime on the table, and a function that creates another runtime with its own memory. */
  async function onTable(script: Iterable<ScriptEntry>, tools: readonly Tool[]) {
    const table = await server().table();
    const rt = createTestRuntime(script, tools);
    // This clock has the runtime's time, which does not move, but its pauses are real.
    const clock = { ...systemClock, now: () => rt.clock.now() };
    const instance = (): Runtime => {
      const { threads, settings, claims } = createDynamoStore({ client: server().client(), table, clock });
      return { ...rt, store: threads, settings, claims, running: new Set() };
    };
    return { table, rt, instance };
  }

  test("a plan is made, approved, executed with a confirmed write and delivered, each turn by another instance", async () => {
    const table = await server().table();
    const { documents } = createDynamoStore({ client: server().client(), table });
    const { calendars, tools, companions } = createTimetable(documents);
    const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
    const script = [
      plan,
      callTool("list_tasks", {}),
      next,
      callTool("move", move, "confirm"),
      doneDecision,
      "Moved it.",
    ];
    const rt = createTestRuntime(script, tools);
    const instance = (): Runtime => {
      const { threads, settings, claims } = createDynamoStore({ client: server().client(), table });
      return { ...rt, store: threads, settings, claims, companions, running: new Set() };
    };
    const { at } = await createTestThread(instance(), { goal: "Move the essay outline" });
    const outcomes = await runToEnd(async (input: TurnInput | null) => {
      const advanced = await attachTestThread(instance(), at.thread).turn(input);
      return advanced.ok ? { ok: true, value: advanced.value.outcome } : advanced;
    });
    expect(outcomes.at(-1)).toMatchObject({ kind: "delivered", outcome: "completed", thread: { evidence: "proven" } });
    expect(outcomes.map(({ next: then }) => then)).toEqual([
      "confirm",
      "advance",
      "advance",
      "advance",
      "confirm",
      "advance",
      "advance",
      "none",
    ]);
    const calendar = unwrap(await calendars.load({ tenant: LOCAL_TENANT, calendar: at.thread }))?.calendar ?? null;
    expect(positionOf(calendar, 13)).toBe("11/1");
    const [listed] = unwrap(await instance().store.list(LOCAL_TENANT, { state: "rest", limit: 10 }));
    expect(listed).toMatchObject({ thread: at.thread, outcome: "completed", gate: null });
  });

  test("a question asked by one instance is found in the list and answered by another", async () => {
    const { instance } = await onTable(
      [callTool("clarify", { question: "Which day?", choices: ["Mon", "Tue"] }), doneDecision, "Tuesday it is."],
      [clarify],
    );
    const { at } = await createTestThread(instance(), { goal: "Pick a day", mode: "direct" });
    unwrap(await attachTestThread(instance(), at.thread).turn());
    const [gated] = unwrap(await instance().store.list(LOCAL_TENANT, { gated: true, limit: 10 }));
    if (gated?.gate?.kind !== "question") throw new Error("no question is listed");
    const answered = unwrap(
      await attachTestThread(instance(), gated.thread).turn({ type: "answer", gate_id: gated.gate.id, choice: "Tue" }),
    );
    expect(answered.outcome.turn?.receipts[0]).toMatchObject({ source: "user_reply", summary: "Tue" });
    expect(unwrap(await instance().store.list(LOCAL_TENANT, { gated: true, limit: 10 }))).toEqual([]);
  });

  test("the same request at two instances creates one turn with one response", async () => {
    const ledger: string[] = [];
    const { instance } = await onTable(
      [callTool("write", { line: "a" })],
      [createWriteTool(ledger, { confirm: false })],
    );
    const { at } = await createTestThread(instance(), { goal: "Write", mode: "direct" });
    const key = { hash: "k".repeat(12), body: "b" };
    const first = unwrap(await attachTestThread(instance(), at.thread).turn(null, { key }));
    const again = unwrap(await attachTestThread(instance(), at.thread).turn(null, { key }));
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.outcome).toEqual(first.outcome);
    expect(ledger).toHaveLength(1);
  });

  test("of many instances with concurrent requests one calls the model, and the others are asked to wait", async () => {
    const INSTANCES = 12;
    const { instance } = await onTable([], [look]);
    const { at } = await createTestThread(instance(), { goal: "Look around", mode: "direct" });
    // The model replies after all other callers have a response.
    const others = Promise.withResolvers<void>();
    let asked = 0;
    const model: Model = {
      ...createDemoModel(),
      async reply() {
        asked += 1;
        await others.promise;
        return {
          ok: true,
          value: { text: JSON.stringify(callTool("look", { at: "desk" })), model: "slow", usage: null },
        };
      },
    };
    let refused = 0;
    const codes = await Promise.all(
      Array.from({ length: INSTANCES }, async () => {
        const answer = await attachTestThread({ ...instance(), pickModel: () => model }, at.thread).turn();
        if (!answer.ok && ++refused === INSTANCES - 1) others.resolve();
        return answer.ok ? "advanced" : problemCode(answer);
      }),
    );
    expect(codes.toSorted()).toEqual(["advanced", ...Array.from({ length: INSTANCES - 1 }, () => "turn_running")]);
    expect(asked).toBe(1);
  });

  test.each([399, 400, 401, 2048])("an observation of %i KB is stored as a blob, and the run continues", async (kb) => {
    const text = randomBytes(kb * 1024)
      .toString("base64")
      .slice(0, kb * 1024);
    const dump = defineTool(
      {
        name: "dump",
        description: "Gives much.",
        max_output_chars: 4_000_000,
        input: z.object({}),
        output: z.string(),
      },
      () => text,
    );
    const { instance } = await onTable([callTool("dump", {}), doneDecision, "Done."], [dump]);
    const { at } = await createTestThread(instance(), { goal: "Dump", mode: "direct" });
    const dumped = unwrap(await attachTestThread(instance(), at.thread).turn());
    const blob = dumped.records.at(-1)?.entry.observation?.blob ?? "none";
    const stored = unwrap(await instance().store.getBlob(at, blob));
    // The stored text is named by its hash and is far larger than a record may be.
    expect(nodeHash.sha256(stored)).toBe(blob);
    expect(stored.length).toBeGreaterThan(300_000);
    unwrap(await attachTestThread(instance(), at.thread).turn());
    expect(unwrap(await attachTestThread(instance(), at.thread).turn()).outcome).toMatchObject({ kind: "delivered" });
  });

  test("an in-process runtime imports a file of 7 MB, which continues unchanged", async () => {
    const dump = defineTool(
      {
        name: "dump",
        description: "Gives much.",
        max_output_chars: 4_000_000,
        input: z.object({ n: z.int() }),
        output: z.string(),
      },
      () => randomBytes(270_000).toString("base64"),
    );
    const dumps = Array.from({ length: DUMPS }, (_, n) => callTool("dump", { n }));
    const here = createTestRuntime([...dumps, callTool("clarify", { question: "Enough?" })], [dump, clarify]);
    const thread = await createTestThread(here, { goal: "Dump", mode: "direct" });
    for (let turn = 0; turn <= DUMPS; turn += 1) unwrap(await thread.turn());
    const file = unwrap(await exportThread(here, thread.at));
    expect(file.length).toBeGreaterThan(7_000_000);
    const { threads, settings } = createDynamoStore({ client: server().client(), table: await server().table() });
    const there = createFetch(createRuntime({ model: createDemoModel(), store: threads, settings }), {
      tenant: "acme",
    });
    const headers = { "content-type": "application/x-ndjson" };
    const answer = await there("http://pawl/v1/import", { method: "POST", headers, body: file });
    expect(answer.status, await answer.clone().text()).toBe(201);
    expect(await answer.json()).toMatchObject({ next: "answer", thread: { id: thread.at.thread, version: DUMPS + 1 } });
    const back = await there(`http://pawl/v1/threads/${thread.at.thread}/export`);
    const lines = (text: string) => text.split("\n").slice(1, DUMPS + 3);
    expect(lines(await back.text()).map((line) => JSON.parse(line).commit_id)).toEqual(
      lines(file).map((line) => JSON.parse(line).commit_id),
    );
  });

  test("a fork is independent, has its own blobs, and survives the removal of its origin", async () => {
    const { instance } = await onTable(
      [callTool("look", { at: "desk" }), callTool("look", { at: "shelf" }), callTool("look", { at: "door" })],
      [look],
    );
    const { at } = await createTestThread(instance(), { goal: "Look around", mode: "direct" });
    const first = unwrap(await attachTestThread(instance(), at.thread).turn());
    unwrap(await attachTestThread(instance(), at.thread).turn());
    const forked = unwrap(await forkThread(instance(), at, 1));
    unwrap(await instance().store.remove(at));
    expect(problemCode(await attachTestThread(instance(), at.thread).turn())).toBe("thread_not_found");
    const other = attachTestThread(instance(), forked.thread.id);
    expect(unwrap(await other.turn()).outcome.thread).toMatchObject({ turn: 2, version: 2 });
    const prompt = first.records.at(-1)?.entry.prompt_hash ?? "none";
    expect(unwrap(await instance().store.getBlob(other.at, prompt))).toContain("look");
  });

  test("a calendar of 2,000 events is imported, read by month, changed and undone", async () => {
    const table = await server().table();
    const { documents } = createDynamoStore({ client: server().client(), table });
    const { call, store, at, file } = await startCalendar(documents);
    const events = Array.from({ length: 2000 }, (_, n) => {
      const day = new Date(Date.UTC(2026, 0, 1 + (n % 700))).toISOString().slice(0, 10).replaceAll("-", "");
      const text = `${n} ${"会".repeat(120)}`;
      return `BEGIN:VEVENT\r\nUID:u${n}\r\nDTSTART:${day}T${String(6 + Math.floor(n / 700)).padStart(2, "0")}0000Z\r\nSUMMARY:${text}\r\nEND:VEVENT\r\n`;
    });
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join("")}END:VCALENDAR\r\n`;
    const { report: _report, ...content } = unwrap(importIcs(text, { zone: ZONE }));
    unwrap(await unwrap(await store.open(at)).replace(content, null));
    expect((await call("list_events", { from: "2026-03-01", to: "2026-03-31" })).text).toContain("93 events");
    const before = await file();
    expect(before.length).toBe(text.length);
    for (let n = 0; n < 60; n += 1) {
      const start = `2028-${String(1 + (n % 12)).padStart(2, "0")}-${String(1 + Math.floor(n / 12)).padStart(2, "0")}T10:00`;
      expect(await call("create_event", { title: `New ${n}`, start })).toMatchObject({ ok: true });
    }
    for (let n = 0; n < 60; n += 1) expect(await call("undo_calendar_change", {})).toMatchObject({ ok: true });
    expect((await file()).split("\r\n").sort()).toEqual(before.split("\r\n").sort());
  });
});
