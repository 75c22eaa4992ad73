// Tests reminders, which are schedules that post into the thread of the user who asked.
import { describe, expect, test } from "vitest";
import { createDemoModel } from "../../../src/adapters/model-demo/model-demo.ts";
import { createSchedulesPort } from "../../../src/jobs/tool-ports.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { ok } from "../../../src/schema/problem.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { time } from "../../../src/toolkits/basics/time.ts";
import { sampleWeek } from "../../../src/toolkits/calendar/sample.ts";
import { setReminder } from "../../../src/toolkits/calendar/tools/set-reminder.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { runToEnd } from "../../support/run-to-end.ts";
import { createTestRuntime, createTestThread } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";
import { startCalendar, ZONE } from "./calendar-tools.ts";

/** The time of the test runtime's clock: Monday, 2 March 2026, 09:00 in Berlin. */
const NOW = Date.parse("2026-03-02T08:00:00Z");

async function start() {
  const calendar = await startCalendar(undefined, NOW);
  const content = { objects: sampleWeek(ZONE, NOW), kept: { properties: [], components: [] } };
  succeeded(await succeeded(await calendar.store.open(calendar.at)).replace(content, null));
  const model = createDemoModel();
  // The tool needs the schedules of the runtime to which it belongs.
  const base = createTestRuntime([], []);
  const tool = setReminder({ store: calendar.store }, createSchedulesPort(base));
  const rt = { ...base, pickModel: () => model, toolbox: createToolbox([time, ...calendar.tools, tool]) };
  const schedules = async () => succeeded(await createSchedulesPort(rt).list(LOCAL_TENANT));
  const say = async (text: string) => {
    const thread = await createTestThread(rt, {});
    const outcomes = await runToEnd(
      async (input) => {
        const made = await thread.turn(input);
        return made.ok ? ok(made.value.outcome) : made;
      },
      {},
      { type: "message", text },
    );
    return { thread: thread.at.thread, spoken: outcomes.map(({ turn }) => turn?.speak ?? "").join("\n") };
  };
  return { tool, schedules, say, rt };
}

describe("a reminder", () => {
  test.each([
    ["Remind me to call mum tomorrow at 9:30", "2026-03-03T08:30:00.000Z", "Reminder: Call mum"],
    ["提醒我明天下午3点交报告", "2026-03-03T14:00:00.000Z", "Reminder: 交报告"],
    ["Remind me of the dentist 30 minutes before", "2026-03-05T08:30:00.000Z", "Reminder: Dentist"],
  ])("that is asked for as %j becomes a schedule for the thread", async (text, at, message) => {
    const { say, schedules } = await start();
    const { thread } = await say(text);
    expect(await schedules()).toMatchObject([
      { when: { kind: "once", at }, what: { kind: "message", thread, message: { type: "message", text: message } } },
    ]);
  });

  test("that is sent again after its time is the one that was set", async () => {
    const { tool, schedules, rt } = await start();
    const { at } = await createTestThread(rt, {});
    const send = (idempotency_key: string, minutes: number) =>
      tool.run(
        { text: "Call Sam", at: "2026-03-02T09:15", before_min: 15 },
        aContext({ ...at, idempotency_key, now: () => NOW + minutes * 60_000 }),
      );
    const first = await send("eff_one", 0);
    expect(first).toMatchObject({ at: "2026-03-02T08:15:00.000Z" });
    expect(await send("eff_one", 60)).toEqual(first);
    expect(await schedules()).toHaveLength(1);
  });

  test("that is due is repeated to the user", async () => {
    const { say } = await start();
    expect((await say("Reminder: Call mum")).spoken).toContain("Reminder: Call mum");
  });

  test.each([
    ["in the past", { text: "A", at: "2026-03-01T09:00" }, "over"],
    ["without a time", { text: "A" }, "either at or event"],
    ["for a whole day", { text: "A", at: "2026-03-05" }, "time of day"],
    ["at a time that clocks skip", { text: "A", at: "2026-03-29T02:30" }, "does not exist"],
    ["of an unknown event", { text: "A", event: "e99@2026-03-05" }, "there is no event"],
  ])("%s is refused before a person is asked", async (_, args, why) => {
    const { tool, schedules } = await start();
    const refused = await tool.check?.(tool.input.parse(args), aContext({ now: () => NOW }));
    expect(JSON.stringify(refused)).toContain(why);
    expect(await schedules()).toEqual([]);
  });
});
