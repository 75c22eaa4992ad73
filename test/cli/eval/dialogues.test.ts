// Plays the dialogues of everyday requests over HTTP with the demo model at fixed times. The scores must match the
// committed results.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDemoModel } from "../../../src/adapters/model-demo/model-demo.ts";
import { differences } from "../../../src/cli/eval/dialogues/compare.ts";
import { resolveDay } from "../../../src/cli/eval/dialogues/days.ts";
import { runDialogue } from "../../../src/cli/eval/dialogues/run-suite.ts";
import { readSuite, type Suite } from "../../../src/cli/eval/dialogues/suite.ts";
import type { EvalRun } from "../../../src/cli/eval/eval-run.ts";
import { createClient } from "../../../src/client/client.ts";
import { createApp } from "../../../src/http/app.ts";
import { createSchedulesPort } from "../../../src/jobs/tool-ports.ts";
import { time } from "../../../src/toolkits/basics/time.ts";
import { calendar } from "../../../src/toolkits/calendar/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";

const FOLDER = join(import.meta.dirname, "../../../examples/evals/calendar");
const suiteNamed = (name: string): Suite => {
  const suite = readSuite(join(FOLDER, `${name}.yaml`));
  if (!suite) throw new Error(name);
  return suite;
};
const SUITES = [
  "english",
  "chinese",
  "paraphrases",
  "english-requests",
  "chinese-requests",
  "mixed-requests",
  "as-people-type",
].map(suiteNamed);

/** Starts the app without a port, at a fixed time. */
function start(now: number) {
  const clock = { now: () => now };
  const model = createDemoModel();
  const base = createTestRuntime([], []);
  const rt = { ...base, clock: { ...base.clock, ...clock }, pickModel: () => model, toolbox: createToolbox([time]) };
  const parts = { clock: rt.clock, documents: createMemoryDocuments(), schedules: createSchedulesPort(rt) };
  const plugged = unwrap(plugToolkits(rt.toolbox, [calendar], parts));
  const app = createApp(testSettings({ ...rt, companions: plugged.companions }), [], plugged.routes);
  const send = (async (url: URL | string, init?: RequestInit) => {
    const { pathname, search } = new URL(url);
    return app.request(`${pathname}${search}`, { ...init, headers: { ...init?.headers, host: "localhost" } });
  }) as typeof fetch;
  const url = "http://localhost";
  return { client: createClient(url, null, send), url, key: null, fetch: send };
}

const failedIn = async (suite: Suite, now: number): Promise<string[]> => {
  const target = start(now);
  const failed: string[] = [];
  for (const dialogue of suite.dialogues) {
    const { task, overall } = unwrap(await runDialogue(target, suite, dialogue, now));
    if (overall < 1) failed.push(task);
  }
  return failed;
};

const BASELINE = readFileSync(join(FOLDER, "baseline.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as EvalRun);

describe("dialogues of everyday requests", () => {
  test("are 60 in English and Chinese, besides paraphrases and further requests, and the committed results have each of them once", () => {
    expect((SUITES[0]?.dialogues.length ?? 0) + (SUITES[1]?.dialogues.length ?? 0)).toBe(60);
    const names = SUITES.flatMap(({ name, dialogues }) => dialogues.map((one) => `${name}/${one.name}`));
    expect(BASELINE.map(({ task }) => task).sort()).toEqual(names.sort());
  });

  test.each([
    ["a Monday morning", "2026-03-02T08:00:00Z"],
    ["a Friday night before clocks change", "2026-03-27T22:30:00Z"],
    ["the end of a year", "2026-12-31T10:00:00Z"],
  ])("end with the demo model on %s as the committed results say", async (_, at) => {
    for (const suite of SUITES) {
      const known = BASELINE.filter(({ task, overall }) => task.startsWith(`${suite.name}/`) && overall < 1);
      expect(await failedIn(suite, Date.parse(at))).toEqual(known.map(({ task }) => task));
    }
  });

  test("fail for an event that is missing, changed or not expected, and for text that is", () => {
    const event = { title: "A", start: "2026-03-10T09:00:00+01:00", end: "2026-03-10T10:00:00+01:00" };
    const before = [{ ...event, all_day: false, location: null }];
    const expected = {
      added: [],
      removed: [],
      retimed: [],
      relocated: [],
      reminders: [],
      says: ["yes"],
      never_says: [],
    };
    const result = { before, after: before, reminders: [], text: "Yes." };
    const today = "2026-03-02";
    expect(differences(expected, result, today)).toEqual([]);
    expect(differences(expected, { ...result, after: [] }, today)).toEqual(["missing: 2026-03-10 09:00-10:00 A"]);
    expect(differences(expected, { ...result, after: [...before, ...before] }, today)).toHaveLength(1);
    expect(differences(expected, { ...result, text: "No." }, today)).toEqual(["does not say: yes"]);
    const reminders = [{ at: "2026-03-03T09:00", text: "B" }];
    expect(differences(expected, { ...result, reminders }, today)).toHaveLength(1);
    expect(resolveDay("next tue", today)).toBe("2026-03-10");
    expect(resolveDay("week2 mon", "2026-03-08")).toBe("2026-03-16");
  });
});
