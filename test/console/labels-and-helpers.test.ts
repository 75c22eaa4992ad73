import { describe, expect, test } from "vitest";
import { applyEvent, EMPTY_PREVIEW, isStale } from "../../src/console/client/live-preview.ts";
import { stillQueued } from "../../src/console/client/queued-messages.ts";
import { parseEditedArguments } from "../../src/console/gates/edited-arguments.ts";
import { backgroundBadge, backgroundSummary, parseReason } from "../../src/console/jobs/background-labels.ts";
import {
  formatNextRun,
  formatScheduleTime,
  isProblem,
  lastRunLabel,
  scheduleStatus,
} from "../../src/console/jobs/job-labels.ts";
import { formatBytes, formatDuration } from "../../src/console/parts/format.ts";
import { groupOf, stateLabel } from "../../src/console/parts/state-labels.ts";
import { readRoute, threadHref } from "../../src/console/shell/route.ts";
import type { RecordView } from "../../src/console/thread/conversation.ts";
import { ThreadStateName } from "../../src/schema/thread.ts";
import { anEntry } from "../support/thread.ts";

describe("edited arguments", () => {
  const proposed = { task: 1, to: { day: 4, slots: [1, 2] } };

  test.each(['{"to":{"slots":[1,2],"day":4},"task":1}', ' { "task": 1, "to": { "day": 4, "slots": [1, 2] } }'])(
    "%s is the same in another order",
    (text) => {
      expect(parseEditedArguments(text, proposed)).toEqual({ kind: "same" });
    },
  );

  test.each(['{"task":1}', '{"task":2,"to":{"day":4,"slots":[1,2]}}', '{"task":1,"to":{"day":4,"slots":[2,1]}}', "{}"])(
    "%s is a change",
    (text) => {
      expect(parseEditedArguments(text, proposed)).toEqual({ kind: "changed", arguments: JSON.parse(text) });
    },
  );

  test.each(["", "{", "[]", "null", "1", '"x"'])("%s cannot be approved", (text) => {
    expect(parseEditedArguments(text, proposed).kind).toBe("broken");
  });
});

describe("what is heard while a turn runs", () => {
  const place = { thread: "thr", turn: 3 };

  test("words add up until they are taken back, with the reason", () => {
    const said = ["Hel", "lo"].reduce(
      (live, text) => applyEvent(live, { type: "speak.delta", ...place, text }),
      EMPTY_PREVIEW,
    );
    expect(said).toMatchObject({ turn: 3, text: "Hello" });
    const back = applyEvent(said, { type: "speak.discarded", ...place, reason: "no proof" });
    expect(back).toMatchObject({ text: "", discarded: { text: "Hello", reason: "no proof" } });
    expect(applyEvent(back, { type: "turn.started", thread: "thr", turn: 4 })).toEqual({ ...EMPTY_PREVIEW, turn: 4 });
  });

  test("is past once the record is shown, but a call at work still tells of itself", () => {
    const delta = { type: "speak.delta", thread: "thr_a", turn: 3, text: "Let me see." } as const;
    expect(isStale(delta, null)).toBe(false);
    expect(isStale(delta, { turn: 2, at: "deciding" })).toBe(false);
    expect(isStale(delta, { turn: 3, at: "deciding" })).toBe(true);
    expect(isStale(delta, { turn: 3, at: "acting" })).toBe(false);
    expect(isStale(delta, { turn: 4, at: "acting" })).toBe(true);
  });
});

describe("addresses", () => {
  const id = `thr_${"0".repeat(26)}`;

  test("of threads and pages are read back; everything else is the first page", () => {
    expect(readRoute(threadHref(id))).toEqual({ page: "thread", id });
    for (const page of ["inbox", "schedules", "webhooks"]) expect(readRoute(`#/${page}`)).toEqual({ page });
    for (const hash of ["", "#", "#/", "#/threads/", "#/threads/../x", `${threadHref(id)}/x`, "#/inbox2"])
      expect(readRoute(hash)).toEqual({ page: "home" });
  });
});

describe("states in words", () => {
  test("every state has words and a group", () => {
    for (const state of ThreadStateName.options) {
      expect(stateLabel({ state, at: null, outcome: null }).label).not.toBe("");
      expect(groupOf({ state, at: null, outcome: null, gate: null })).not.toBe("Waiting for you");
    }
  });

  test("an open gate waits for a person, a failed thread does not", () => {
    expect(groupOf({ state: "confirm", at: "waiting", outcome: null, gate: {} })).toBe("Waiting for you");
    expect(groupOf({ state: "failed", at: null, outcome: null, gate: null })).toBe("Failed");
  });

  test("nobody works on a background run that is paused or given up, unless a call is being carried out", () => {
    const working = { state: "execute", at: "deciding", outcome: null } as const;
    expect(stateLabel(working, "on").label).toBe("Working");
    expect(stateLabel(working, "paused").label).toBe("Stopped");
    expect(stateLabel({ ...working, state: "confirm", at: "acting" }, "paused").label).toBe("Carrying out");
    expect(stateLabel({ ...working, state: "confirm", at: "waiting" }, "dead").label).toBe("Call to approve");
    expect(stateLabel({ state: "rest", at: null, outcome: "completed" }, "paused").label).toBe("Delivered");
  });
});

describe("a background run in words", () => {
  const at = (over: object) =>
    backgroundSummary({
      state: "execute",
      at: "deciding",
      gate: null,
      background: { status: "on", reason: null },
      ...over,
    });

  test("a thread that calls alone advance has none", () => {
    expect(at({ background: null })).toBeNull();
  });

  test.each([
    [{}, "busy", "It runs by itself"],
    [{ state: "confirm", at: "acting" }, "busy", "It carries out a call"],
    [{ gate: { expires_at: null } }, "wait", "goes on by itself after it."],
    [{ gate: { expires_at: "2026-01-05T08:00:00.000Z" } }, "wait", "2026"],
    [{ state: "rest", at: null }, "plain", "It rests"],
    [{ state: "failed", at: null }, "bad", "After a reset"],
    [{ background: { status: "paused", reason: null } }, "wait", "until somebody resumes it"],
    [{ background: { status: "dead", reason: "x" } }, "bad", "nobody drives it"],
  ])("%o is %s", (over, tone, words) => {
    expect(at(over)).toMatchObject({ tone, sentence: expect.stringContaining(words) });
  });

  test("in the list one that rests as it should is not marked, one that was given up stands with what failed", () => {
    expect(backgroundBadge("on", "rest")).toBeNull();
    expect(backgroundBadge(undefined, "execute")).toBeNull();
    expect(backgroundBadge("on", "execute")?.tone).toBe("busy");
    expect(backgroundBadge("paused", "rest")?.tone).toBe("wait");
    expect(groupOf({ state: "rest", at: null, outcome: null, gate: null, background: "dead" })).toBe("Failed");
    expect(groupOf({ state: "plan", at: "asking", outcome: null, gate: {}, background: "dead" })).toBe(
      "Waiting for you",
    );
  });

  test("the reason is read apart where it names a code", () => {
    expect(parseReason("model_unavailable: Down: try later.")).toEqual({
      code: "model_unavailable",
      message: "Down: try later.",
    });
    expect(parseReason("Nobody knows.")).toEqual({ code: null, message: "Nobody knows." });
  });
});

describe("schedules in words", () => {
  test.each([
    [{ kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" }, "0 3 * * * (Europe/Berlin)"],
    [{ kind: "interval", every_s: 90 }, "every 90 s"],
    [{ kind: "interval", every_s: 5400 }, "every 90 min"],
    [{ kind: "interval", every_s: 172_800 }, "every 2 d"],
  ] as const)("%o is %s", (when, words) => {
    expect(formatScheduleTime(when)).toBe(words);
  });

  test("one that has no time left is over, one that is switched off is paused", () => {
    const next_at = "2026-01-05T08:00:00.000Z";
    expect(scheduleStatus({ enabled: true, next_at }).label).toBe("On");
    expect(scheduleStatus({ enabled: true, next_at: null }).label).toBe("Over");
    expect(scheduleStatus({ enabled: false, next_at: null }).label).toBe("Paused");
    expect(formatNextRun(next_at, Date.parse(next_at) - 60_000)).toMatch(/^in 1 min, /);
    expect(formatNextRun(next_at, Date.parse(next_at) + 1)).toBe("due now");
  });

  test("an outcome that is neither started nor skipped is the code of a problem", () => {
    expect([lastRunLabel("started"), isProblem("started")]).toEqual(["started", false]);
    expect(isProblem("skipped")).toBe(false);
    expect([lastRunLabel("agent_not_found"), isProblem("agent_not_found")]).toEqual(["agent not found", true]);
  });
});

describe("messages that wait", () => {
  const heardAt = (version: number, text: string): RecordView => ({
    ...anEntry({ input: { type: "message", text } }),
    version,
    size: 1,
  });
  const waiting = [
    { text: "one", after: 3 },
    { text: "one", after: 3 },
    { text: "two", after: 5 },
  ];

  test("each record hears one of them, and none that was sent later", () => {
    expect(stillQueued(waiting, [heardAt(3, "one"), heardAt(4, "one"), heardAt(5, "two")])).toEqual([
      { text: "one", after: 3 },
      { text: "two", after: 5 },
    ]);
  });

  test("where the records begin later than the message nobody can tell, and it is left out", () => {
    expect(stillQueued(waiting, [heardAt(6, "three")])).toEqual([{ text: "two", after: 5 }]);
  });
});

describe("numbers in words", () => {
  test.each([
    [0, "0 s"],
    [59_400, "59 s"],
    [61_000, "1 min"],
    [7_200_000, "2 h"],
    [200_000_000, "2 d"],
    [-5, "0 s"],
  ])("%i ms are %s", (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });

  test.each([
    [999, "999 B"],
    [1000, "1.0 kB"],
    [2_500_000, "2.5 MB"],
  ])("%i bytes are %s", (size, words) => {
    expect(formatBytes(size)).toBe(words);
  });
});
