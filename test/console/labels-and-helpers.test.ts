import { describe, expect, test } from "vitest";
import { applyEvent, EMPTY_PREVIEW, isStale } from "../../src/console/client/live-preview.ts";
import { stillQueued } from "../../src/console/client/queued-messages.ts";
import { isDeliberate, recordGateShown } from "../../src/console/gates/approve-guard.ts";
import { rememberChoices } from "../../src/console/gates/confirmation-form.tsx";
import { parseEditedArguments } from "../../src/console/gates/edited-arguments.ts";
import { backgroundSummary, parseReason, stalledMs } from "../../src/console/jobs/background-labels.ts";
import {
  formatNextRun,
  formatScheduleTime,
  isProblem,
  lastRunLabel,
  scheduleStatus,
} from "../../src/console/jobs/job-labels.ts";
import { formatBytes, formatDuration } from "../../src/console/parts/format.ts";
import { looksStopped, stateLabel } from "../../src/console/parts/state-labels.ts";
import { gateHref, readRoute, receiptHref, threadHref, turnHref } from "../../src/console/shell/route.ts";
import type { RecordView } from "../../src/console/thread/conversation.ts";
import { ThreadStateName } from "../../src/schema/thread.ts";
import { anEntry } from "../support/thread.ts";

describe("edited arguments", () => {
  const proposed = { task: 1, to: { day: 4, slots: [1, 2] } };

  test.each(['{"to":{"slots":[1,2],"day":4},"task":1}', ' { "task": 1, "to": { "day": 4, "slots": [1, 2] } }'])(
    "%s is unchanged, ignoring key order",
    (text) => {
      expect(parseEditedArguments(text, proposed)).toEqual({ kind: "same" });
    },
  );

  test.each(['{"task":1}', '{"task":2,"to":{"day":4,"slots":[1,2]}}', '{"task":1,"to":{"day":4,"slots":[2,1]}}', "{}"])(
    "%s is changed",
    (text) => {
      expect(parseEditedArguments(text, proposed)).toEqual({ kind: "changed", arguments: JSON.parse(text) });
    },
  );

  test.each(["", "{", "[]", "null", "1", '"x"'])("%s is invalid", (text) => {
    expect(parseEditedArguments(text, proposed).kind).toBe("invalid");
  });
});

describe("live preview", () => {
  const position = { thread: "thr", turn: 3 };

  test("collects streamed text until it is discarded with a reason", () => {
    const streamed = ["Hel", "lo"].reduce(
      (live, text) => applyEvent(live, { type: "speak.delta", ...position, text }),
      EMPTY_PREVIEW,
    );
    expect(streamed).toMatchObject({ turn: 3, text: "Hello" });
    const discarded = applyEvent(streamed, { type: "speak.discarded", ...position, reason: "no proof" });
    expect(discarded).toMatchObject({ text: "", discarded: { text: "Hello", reason: "no proof" } });
    expect(applyEvent(discarded, { type: "turn.started", thread: "thr", turn: 4 })).toEqual({
      ...EMPTY_PREVIEW,
      turn: 4,
    });
  });

  test("is stale once the record is shown, except for the progress of a running call", () => {
    const delta = { type: "speak.delta", thread: "thr_a", turn: 3, text: "Let me see." } as const;
    expect(isStale(delta, null)).toBe(false);
    expect(isStale(delta, { turn: 2, at: "deciding" })).toBe(false);
    expect(isStale(delta, { turn: 3, at: "deciding" })).toBe(true);
    expect(isStale(delta, { turn: 3, at: "acting" })).toBe(false);
    expect(isStale(delta, { turn: 4, at: "acting" })).toBe(true);
  });
});

describe("routes", () => {
  const id = `thr_${"0".repeat(26)}`;

  test("are parsed from the hash; anything else is the home page", () => {
    expect(readRoute(threadHref(id))).toEqual({ page: "thread", id, at: null });
    expect(readRoute(turnHref(id, 12))).toEqual({ page: "thread", id, at: { kind: "turn", turn: 12 } });
    expect(readRoute(receiptHref(id, "rcp_1a"))).toEqual({ page: "thread", id, at: { kind: "receipt", id: "rcp_1a" } });
    expect(readRoute(gateHref(id))).toEqual({ page: "thread", id, at: { kind: "gate" } });
    for (const page of ["inbox", "schedules", "webhooks"]) expect(readRoute(`#/${page}`)).toEqual({ page });
    for (const hash of ["", "#", "#/", "#/threads/", "#/threads/../x", `${threadHref(id)}/x`, "#/inbox2"])
      expect(readRoute(hash)).toEqual({ page: "home" });
  });
});

describe("state labels", () => {
  test("every state has a label", () => {
    for (const state of ThreadStateName.options) {
      expect(stateLabel({ state, at: null, outcome: null }).label).not.toBe("");
    }
  });

  test("the label says truthfully whether the thread advances", () => {
    const working = { state: "execute", at: "deciding", outcome: null } as const;
    expect(stateLabel(working, "on").label).toBe("Working");
    expect(stateLabel(working, "paused").label).toBe("Paused");
    expect(stateLabel(working, "dead").label).toBe("Failed");
    expect(stateLabel(working, undefined, true).label).toBe("Stopped");
    expect(stateLabel({ ...working, state: "confirm", at: "acting" }, "paused").label).toBe("Running a tool");
    expect(stateLabel({ ...working, state: "confirm", at: "waiting" }, "dead").label).toBe("Waiting for you");
    expect(stateLabel({ state: "rest", at: null, outcome: "completed" }, "paused").label).toBe("Delivered");
  });

  test("a run without workers looks stopped two minutes after its last turn", () => {
    const now = Date.parse("2026-01-05T08:00:00.000Z");
    const updated_at = new Date(now - 130_000).toISOString();
    expect(looksStopped({ updated_at }, now)).toBe(true);
    expect(looksStopped({ updated_at }, now - 60_000)).toBe(false);
    expect(looksStopped({ updated_at, background: "on" }, now)).toBe(false);
  });
});

describe("background run labels", () => {
  test("only a run that does not advance has a summary", () => {
    expect(backgroundSummary({ background: null })).toBeNull();
    expect(backgroundSummary({ background: { status: "on", reason: null } })).toBeNull();
    expect(backgroundSummary({ background: { status: "paused", reason: null } })?.tone).toBe("wait");
    expect(backgroundSummary({ background: { status: "dead", reason: "x" } })?.tone).toBe("bad");
  });

  test("a run is stalled after three minutes without a turn, unless it waits for a person", () => {
    const now = Date.parse("2026-01-05T08:00:00.000Z");
    const running = {
      state: "execute",
      gate: null,
      background: { status: "on", reason: null },
      updated_at: new Date(now - 200_000).toISOString(),
    } as const;
    expect(stalledMs(running, now)).toBe(200_000);
    expect(stalledMs(running, now - 60_000)).toBe(0);
    expect(stalledMs({ ...running, gate: {} }, now)).toBe(0);
    expect(stalledMs({ ...running, background: null }, now)).toBe(0);
  });

  test("splits the code from the reason", () => {
    expect(parseReason("model_unavailable: Down: try later.")).toEqual({
      code: "model_unavailable",
      message: "Down: try later.",
    });
    expect(parseReason("Unknown cause.")).toEqual({ code: null, message: "Unknown cause." });
  });
});

describe("schedule labels", () => {
  test.each([
    [{ kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" }, "0 3 * * * (Europe/Berlin)"],
    [{ kind: "interval", every_s: 90 }, "every 90 sec"],
    [{ kind: "interval", every_s: 5400 }, "every 90 min"],
    [{ kind: "interval", every_s: 172_800 }, "every 2 days"],
  ] as const)("%o is %s", (when, label) => {
    expect(formatScheduleTime(when)).toBe(label);
  });

  test("a schedule without a next time is finished, a disabled one is paused", () => {
    const next_at = "2026-01-05T08:00:00.000Z";
    expect(scheduleStatus({ enabled: true, next_at }).label).toBe("Active");
    expect(scheduleStatus({ enabled: true, next_at: null }).label).toBe("Finished");
    expect(scheduleStatus({ enabled: false, next_at: null }).label).toBe("Paused");
    expect(formatNextRun(next_at, Date.parse(next_at) - 60_000)).toMatch(/^in 1 min, /);
    expect(formatNextRun(next_at, Date.parse(next_at) + 1)).toBe("due now");
  });

  test("an outcome other than started or skipped is a problem code", () => {
    expect([lastRunLabel("started"), isProblem("started")]).toEqual(["started", false]);
    expect(isProblem("skipped")).toBe(false);
    expect([lastRunLabel("agent_not_found"), isProblem("agent_not_found")]).toEqual(["agent not found", true]);
  });
});

describe("queued messages", () => {
  const deliveredAt = (version: number, text: string): RecordView => ({
    ...anEntry({ input: { type: "message", text } }),
    version,
    size: 1,
  });
  const queued = [
    { text: "one", after: 3 },
    { text: "one", after: 3 },
    { text: "two", after: 5 },
  ];

  test("each record delivers one message, and none sent after it", () => {
    expect(stillQueued(queued, [deliveredAt(3, "one"), deliveredAt(4, "one"), deliveredAt(5, "two")])).toEqual([
      { text: "one", after: 3 },
      { text: "two", after: 5 },
    ]);
  });

  test("drops messages older than the loaded records", () => {
    expect(stillQueued(queued, [deliveredAt(6, "three")])).toEqual([{ text: "two", after: 5 }]);
  });
});

describe("number formats", () => {
  test.each([
    [0, "0 sec"],
    [59_400, "59 sec"],
    [61_000, "1 min"],
    [7_200_000, "2 hr"],
    [200_000_000, "2 days"],
    [-5, "0 sec"],
  ])("%i ms is %s", (ms, label) => {
    expect(formatDuration(ms)).toBe(label);
  });

  test.each([
    [999, "999 B"],
    [1000, "1.0 kB"],
    [2_500_000, "2.5 MB"],
  ])("%i bytes is %s", (size, label) => {
    expect(formatBytes(size)).toBe(label);
  });
});

describe("rememberChoices", () => {
  const ids = (remember: { words: string[] | null } | null) => rememberChoices({ remember }).map(({ id }) => id);

  test("offers only what the gate allows, once first", () => {
    expect(ids(null)).toEqual(["once"]);
    expect(ids({ words: null })).toEqual(["once", "exact-run", "exact-thread"]);
    expect(ids({ words: ["npm", "test", "a"] })).toEqual([
      "once",
      "exact-run",
      "exact-thread",
      "prefix-run",
      "prefix-thread",
    ]);
  });

  test("binds a prefix to the first two words", () => {
    const choices = rememberChoices({ remember: { words: ["npm", "test", "a"] } });
    expect(choices.at(-1)).toMatchObject({ fields: { remember: "thread", prefix: ["npm", "test"] } });
    expect(choices[0]?.fields).toEqual({});
  });
});

describe("approve guard", () => {
  test("a gate that has just appeared cannot be approved by the second press of a double click", () => {
    recordGateShown(1000);
    expect([isDeliberate(1001), isDeliberate(1500), isDeliberate(1700)]).toEqual([false, false, true]);
  });
});
