// Plays sixty everyday requests about a working week, in English and Chinese, compares the calendar with the expected
// one, and prints the score.
import { describe, expect, test } from "vitest";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import { ok } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { clarify } from "../../src/toolkits/basics/clarify.ts";
import { time } from "../../src/toolkits/basics/time.ts";
import { sampleWeek } from "../../src/toolkits/calendar/sample.ts";
import dialogues from "../fixtures/calendar-dialogues.json" with { type: "json" };
import { runToEnd } from "../support/run-to-end.ts";
import { createTestRuntime, createTestThread } from "../support/runtime.ts";
import { startCalendar, ZONE } from "../toolkits/calendar/calendar-tools.ts";

type Dialogue = {
  readonly say: string;
  readonly then?: string;
  readonly unchanged?: boolean;
  readonly says?: string;
  readonly contains?: readonly string[];
  readonly contains_time?: readonly string[];
  readonly contains_title?: Readonly<Record<string, number>>;
  readonly lacks?: readonly string[];
};

/** The time of the test runtime's clock: Monday, 2 March 2026, 09:00 in Berlin. */
const NOW = Date.parse("2026-03-02T08:00:00Z");

async function play({ say, then }: Dialogue) {
  const calendar = await startCalendar(undefined, NOW);
  const open = succeeded(await calendar.store.open(calendar.at));
  const content = { objects: sampleWeek(ZONE, NOW), kept: { properties: [], components: [] } };
  succeeded(await open.replace(content, null));
  const state = async () =>
    (await calendar.occurrences(NOW - 86_400_000, NOW + 21 * 86_400_000)).map((one) => {
      const local = new Date(one.start + 3_600_000).toISOString();
      return `${one.title} ${local.slice(0, 10)} ${local.slice(11, 16)}`;
    });
  const before = await state();
  const model = createDemoModel();
  const rt = createTestRuntime([], [clarify, time, ...calendar.tools], { pickModel: () => model });
  const thread = await createTestThread(rt, {});
  let spoken = "";
  for (const text of [say, ...(then ? [then] : [])]) {
    const outcomes = await runToEnd(
      async (input) => {
        const made = await thread.turn(input);
        return made.ok ? ok(made.value.outcome) : made;
      },
      {},
      { type: "message", text },
    );
    spoken = outcomes.map(({ turn }) => turn?.speak ?? "").join("\n");
  }
  return { before, after: await state(), spoken };
}

/** Returns null if the calendar is as expected. */
async function mistake(dialogue: Dialogue): Promise<string | null> {
  const { before, after, spoken } = await play(dialogue);
  const added = after.filter((one) => !before.includes(one));
  if (dialogue.unchanged && JSON.stringify(before) !== JSON.stringify(after)) return `changed: ${added.join(", ")}`;
  if (dialogue.says && !spoken.includes(dialogue.says)) return `said: ${spoken.slice(-300)}`;
  const missing = dialogue.contains?.find((one) => !after.includes(one));
  if (missing) return `${missing} is missing; added ${added.join(", ") || "nothing"}: ${spoken.slice(-200)}`;
  const noTime = dialogue.contains_time?.find((one) => !added.some((event) => event.endsWith(one)));
  if (noTime) return `${noTime} is missing; added ${added.join(", ") || "nothing"}: ${spoken.slice(-200)}`;
  const extra = dialogue.lacks?.find((one) => after.includes(one));
  if (extra) return `${extra} is still there`;
  for (const [title, count] of Object.entries(dialogue.contains_title ?? {}))
    if (after.filter((one) => one.startsWith(`${title} `)).length !== count)
      return `${title}: added ${added.join(", ")}: ${spoken.slice(-200)}`;
  return null;
}

describe("dialogues about a working week", () => {
  test("the demo model manages all of them", async () => {
    const mistakes: string[] = [];
    for (const dialogue of dialogues as readonly Dialogue[]) {
      const found = await mistake(dialogue).catch((error: unknown) => String(error));
      if (found !== null) mistakes.push(`${dialogue.say}: ${found}`);
    }
    console.log(`dialogues: ${dialogues.length - mistakes.length} of ${dialogues.length}`);
    expect(dialogues.length).toBeGreaterThanOrEqual(60);
    expect(mistakes).toEqual([]);
  }, 60_000);
});
