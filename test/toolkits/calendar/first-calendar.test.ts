// Tests a tenant without a calendar: reads see an empty one, and the first write creates it once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createSqliteStore } from "../../../src/adapters/store-sqlite/create-store.ts";
import { createSqliteDocuments } from "../../../src/adapters/store-sqlite/documents.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import { noFaults } from "../../../src/ports/faults.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { OFFICE_HOURS } from "../../../src/toolkits/calendar/store/head.ts";
import { calendarTools } from "../../../src/toolkits/calendar/tools/tools.ts";
import { callTool } from "../../support/decisions.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";
import { MONDAY, ZONE } from "./calendar-tools.ts";

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const one of cleanUp.splice(0)) await one();
});

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-first-calendar-"));
  cleanUp.push(() => rmSync(folder, { recursive: true }));
  return join(folder, "documents.db");
}

function openSqlite(path = newPath()): DocumentStore {
  const documents = createSqliteDocuments(path);
  cleanUp.unshift(() => documents.close());
  return documents;
}

const DENTIST = { title: "Dentist", start: "2026-03-03T09:00" };
const WEEK = { from: "2026-03-02", to: "2026-03-08" };

function aTenant(documents: DocumentStore) {
  const store = createCalendarStore(documents);
  const call = async (name: string, args: object, key: string | null = null) => {
    const tool = calendarTools({ store }).find(({ manifest }) => manifest.name === name);
    const context = aContext({ idempotency_key: key, now: () => MONDAY, time_zone: ZONE });
    return tool?.run(tool.input.parse(args), context) as Promise<{ text: string }>;
  };
  const listed = async () => succeeded(await store.list(LOCAL_TENANT));
  return { store, call, listed };
}

describe.each<[string, () => DocumentStore]>([
  ["memory", () => createMemoryDocuments()],
  ["SQLite", () => openSqlite()],
])("without a calendar, on %s", (_, documents) => {
  test("a read shows an empty calendar and creates none", async () => {
    const { call, listed } = aTenant(documents());
    expect(await call("list_events", WEEK)).toMatchObject({ text: expect.stringContaining(`0 events in "Calendar"`) });
    expect(await listed()).toMatchObject({ version: 0, calendars: [] });
  });

  test("a refused write creates none", async () => {
    const { call, listed } = aTenant(documents());
    expect(await call("move_event", { id: "e1@2026-03-02", start: "2026-03-03T14:00" }, "eff_1")).toMatchObject({
      ok: false,
    });
    expect(await listed()).toMatchObject({ version: 0, calendars: [] });
  });

  test("the first write creates the default calendar in the zone of the runtime, and a resend finds it", async () => {
    const { call, listed } = aTenant(documents());
    const created = await call("create_event", DENTIST, "eff_1");
    expect(await call("create_event", DENTIST, "eff_1")).toEqual(created);
    const { calendars, default: chosen } = await listed();
    expect(calendars).toMatchObject([{ id: chosen, name: "Calendar", time_zone: ZONE, working_hours: OFFICE_HOURS }]);
    expect((await call("list_events", WEEK)).text).toContain("1 event in");
  });

  test("of two first writes at once one creates the calendar and both are in it", async () => {
    const { call, listed } = aTenant(documents());
    const first = call("create_event", DENTIST, "eff_1");
    const second = call("create_event", { title: "Call", start: "2026-03-04T09:00" }, "eff_2");
    expect(await Promise.all([first, second])).toMatchObject([{ changes: [{}] }, { changes: [{}] }]);
    expect((await listed()).calendars).toHaveLength(1);
    expect((await call("list_events", WEEK)).text).toContain("2 events in");
  });

  test("a tenant that removed its calendars gets a new one with another id", async () => {
    const { store, call, listed } = aTenant(documents());
    await call("create_event", DENTIST, "eff_1");
    const [first] = (await listed()).calendars;
    succeeded(await store.remove({ tenant: LOCAL_TENANT, calendar: first?.id ?? "" }));
    expect((await call("list_events", WEEK)).text).toContain("0 events in");
    await call("create_event", DENTIST, "eff_2");
    const { calendars } = await listed();
    expect(calendars).toHaveLength(1);
    expect(calendars[0]?.id).not.toBe(first?.id);
  });
});

test("two threads whose first writes race save both, each in the commit of its receipt", async () => {
  const path = newPath();
  const store = unwrap(await createSqliteStore({ path }));
  cleanUp.unshift(() => store.close());
  const documents = openSqlite(path);
  const { call, listed } = aTenant(documents);
  const start = async (title: string, day: number, faults = noFaults) => {
    const rt = createTestRuntime(
      [callTool("create_event", { title, start: `2026-03-0${day}T09:00` })],
      calendarTools({ store: createCalendarStore(documents) }),
      { store: store.threads, settings: store.settings, faults },
    );
    const thread = await createTestThread(rt, { goal: title, mode: "direct" });
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
    const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
    return async () => unwrap(await thread.turn(input)).records.at(-1)?.entry.receipts;
  };
  const second = await start("Second", 4);
  let rival: typeof second | null = second;
  const first = await start("First", 3, {
    async at(point) {
      if (point !== "settle.before") return;
      const save = rival;
      rival = null;
      await save?.();
    },
  });
  expect(await listed()).toMatchObject({ version: 0 });
  expect(await first()).toMatchObject([{ kind: "settled", success: true }]);
  expect(await listed()).toMatchObject({ version: 1, calendars: [{}] });
  expect((await call("list_events", WEEK)).text).toContain("2 events in");
});
