// Writes the delivery, which states what was and was not done according to the observations of this run.
import { failureMessage, findObservation, firstLine, observationsInRun } from "./next-action.ts";
import type { Observation, ParsedPrompt } from "./parse-prompt.ts";
import { isBareMisbehavior, languageOf } from "./parse-request.ts";
import { phrasesIn } from "./phrases.ts";
import { candidatesIn, dayForTime, daysIn } from "./tasks.ts";
import { translateLine } from "./translate.ts";
import { type DemoContext, demoContextOf, isWriteTool, TOOL_OF } from "./workflow.ts";

export function writeDelivery(prompt: ParsedPrompt): string {
  const context = demoContextOf(prompt);
  const phrases = context?.phrases ?? phrasesIn(languageOf(prompt.goal));
  if (!context) return phrases.unknown_plan;
  if (context.phases.length === 0) {
    if (isBareMisbehavior(prompt.goal)) return phrases.misbehave_usage;
    if (context.request.intent === "thanks") return phrases.welcome;
    const first =
      { greet: phrases.greeting, help: "", stop: phrases.left_unchanged }[context.request.intent as string] ??
      phrases.unknown;
    return [first, phrases.capabilities, phrases.about].filter(Boolean).join(" ");
  }
  const { writes, earlier } = writesOf(context);
  if (writes.length === 0) return describeResults(context);
  const done = writes.filter((observation) => observation.ok);
  const failed = writes.filter((observation) => !observation.ok);
  return [
    ...(earlier > 0 ? [phrases.earlier(earlier)] : []),
    ...done.map(
      ({ text }) => `${phrases.done} ${withoutIds(translateLine(context.request.language, firstLine(text)))}`,
    ),
    ...failed.map((failure) => `${phrases.not_done} ${attempt(failure)}. ${failureMessage(context, failure)}`),
  ].join("\n");
}

/** `writes` are those that the prompt shows in full; `earlier` counts the successful ones that are folded. */
function writesOf(context: DemoContext): { writes: readonly Observation[]; earlier: number } {
  const { observations: seen, folded, receipts: held } = context.prompt;
  const first = folded.findIndex(({ receipt }) => receipt === held[0]?.receipt);
  const writes = (first < 0 ? observationsInRun(context) : seen).filter(({ tool }) => isWriteTool(tool));
  const foldedWrites = first < 0 ? [] : folded.slice(first + 1);
  return { writes, earlier: foldedWrites.filter(({ tool, ok }) => ok && isWriteTool(tool)).length };
}

/** Ids mean nothing to users. */
const withoutIds = (line: string): string => line.replace(/\[\d+\] /g, "");

const attempt = (observation: Observation): string => `${observation.tool} ${JSON.stringify(observation.arguments)}`;

function describeResults(context: DemoContext): string {
  const { phrases, phases, request } = context;
  const text = findObservation(context, TOOL_OF[phases.at(-1) ?? "overview"])?.text;
  if (text === undefined) return phrases.nothing_seen;
  if (phases.at(-1) === "find") {
    const places = candidatesIn(text)
      .slice(0, 8)
      .map((place) => `- ${phrases.place(place)}`);
    return places.length > 0 ? [phrases.free, ...places].join("\n") : phrases.no_room;
  }
  const lines = phases.at(-1) === "overview" ? overview(text, request.where.week) : text.split("\n");
  const translated = lines.map((line) => translateLine(request.language, line));
  return [...otherDatesNotice(context), ...translated].join("\n");
}

/** The calendar may lack the requested day, so that another one is shown instead. */
function otherDatesNotice(context: DemoContext): readonly string[] {
  const timeText = findObservation(context, "time")?.text;
  const days = daysIn(findObservation(context, TOOL_OF.overview)?.text ?? "");
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (context.phases.at(-1) !== "day" || timeText === undefined || !first || !last) return [];
  return timeText.includes(` ${dayForTime(days, timeText)?.date} `) ? [] : [context.phrases.other_dates(first, last)];
}

/** Shows the days of the requested week or, if no week was requested, the counts and the tasks. */
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
