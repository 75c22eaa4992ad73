// The delivery: what was done and what was not, only as far as the observations of this run show it.
import { firstLine, observed, seenInRun, whyNot } from "./act.ts";
import type { ReadPrompt, Seen } from "./read-prompt.ts";
import { wordsIn } from "./speak.ts";
import { candidatesIn, dayAt, daysIn } from "./tasks.ts";
import { inLanguage } from "./translate.ts";
import { isBareMisbehaviour, languageOf } from "./understand.ts";
import { isWriteTool, type Scene, sceneOf, TOOL_OF } from "./workflow.ts";

export function writeDelivery(prompt: ReadPrompt): string {
  const scene = sceneOf(prompt);
  const words = scene?.words ?? wordsIn(languageOf(prompt.goal));
  if (!scene) return words.not_mine;
  if (scene.phases.length === 0) {
    if (isBareMisbehaviour(prompt.goal)) return words.misbehaving;
    if (scene.wish.intent === "thanks") return words.welcome;
    const first = { greet: words.greeting, help: "", stop: words.left }[scene.wish.intent as string] ?? words.unknown;
    return [first, words.can, words.about].filter(Boolean).join(" ");
  }
  const { writes, earlier } = writesOf(scene);
  if (writes.length === 0) return shown(scene);
  const done = writes.filter((seen) => seen.ok);
  const failed = writes.filter((seen) => !seen.ok);
  return [
    ...(earlier > 0 ? [words.earlier(earlier)] : []),
    ...done.map(
      (seen) => `${words.done} ${inLanguage(scene.wish.language, firstLine(seen.text))} ${words.proof(seen.receipt)}`,
    ),
    ...failed.map((seen) => `${words.not_done} ${attempt(seen)}. ${whyNot(scene, seen)}`),
  ].join("\n");
}

/** All writes since the first look of the run; of those that are folded away only how many. */
function writesOf(scene: Scene): { writes: readonly Seen[]; earlier: number } {
  const { seen, folded, held } = scene.prompt;
  const first = folded.findIndex(({ receipt }) => receipt === held[0]?.receipt);
  const writes = (first < 0 ? seenInRun(scene) : seen).filter(({ tool }) => isWriteTool(tool));
  const gone = first < 0 ? [] : folded.slice(first + 1);
  return { writes, earlier: gone.filter(({ tool, ok }) => ok && isWriteTool(tool)).length };
}

const attempt = (seen: Seen): string => `${seen.tool} ${JSON.stringify(seen.arguments)}`;

/** What a run that only looked has found out. */
function shown(scene: Scene): string {
  const { words, phases, wish, prompt } = scene;
  const receipt = prompt.held.at(-1)?.receipt ?? "-";
  const text = observed(scene, TOOL_OF[phases.at(-1) ?? "overview"])?.text;
  if (text === undefined) return words.nothing_seen;
  if (phases.at(-1) === "find") {
    const places = candidatesIn(text)
      .slice(0, 8)
      .map((place) => `- ${words.place(place)}`);
    return places.length > 0 ? [words.free, ...places, words.proof(receipt)].join("\n") : words.no_room;
  }
  const lines = phases.at(-1) === "overview" ? overview(text, wish.where.week) : text.split("\n");
  const said = lines.map((line) => inLanguage(wish.language, line));
  return [...insteadOf(scene), ...said, words.proof(receipt)].join("\n");
}

/** The day that was asked for is not in the calendar, and another one is shown for it. */
function insteadOf(scene: Scene): readonly string[] {
  const told = observed(scene, "time")?.text;
  const days = daysIn(observed(scene, TOOL_OF.overview)?.text ?? "");
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (scene.phases.at(-1) !== "day" || told === undefined || !first || !last) return [];
  return told.includes(` ${dayAt(days, told)?.date} `) ? [] : [scene.words.other_dates(first, last)];
}

/** The counts and the tasks; the days only when a week was asked for. */
function overview(text: string, week: number | null): string[] {
  const lines = text.split("\n");
  const days = lines.filter((line) => /^- Day \d/.test(line) && line.includes(`(week ${week},`));
  if (week !== null) return days;
  const tasks = lines.indexOf("Tasks:");
  return [
    ...lines.slice(0, 2),
    ...lines.slice(tasks, lines.indexOf("Classes:") < 0 ? undefined : lines.indexOf("Classes:")),
  ];
}
