// Defines the file format of a suite: dialogues about one calendar, each with the user's messages and the expected
// changes. Days are relative to the day of the run.
import * as z from "zod";
import { readYamlFile } from "../read-yaml-file.ts";
import { DAY_PATTERN } from "./days.ts";

const Day = z.string().regex(DAY_PATTERN, "must be a day such as +1, next tue or week2 mon");
const Clock = z.string().regex(/^\d\d:\d\d$/, "must be HH:MM");
const ClockRange = z.string().regex(/^\d\d:\d\d-\d\d:\d\d$/, "must be HH:MM-HH:MM");

const SetupEvent = z.strictObject({
  title: z.string().min(1),
  day: Day,
  /** If absent, the event is an all-day event. */
  time: ClockRange.optional(),
  repeat: z.string().optional(),
  location: z.string().optional(),
});
const Deadline = z.strictObject({ title: z.string().min(1), day: Day, clock: Clock });

/** With `time`, the event has exactly this time. Otherwise it lasts `minutes` and lies anywhere within `between`. */
const Added = z.strictObject({
  title: z.string().min(1),
  /** One day, or the first and last day of a range. */
  day: z.union([Day, z.tuple([Day, Day])]),
  time: ClockRange.optional(),
  all_day: z.boolean().default(false),
  between: ClockRange.optional(),
  minutes: z.int().optional(),
  count: z.int().min(1).default(1),
});
export type Added = z.infer<typeof Added>;

/** Selects the events with this title: those on `day`, or those on or after `from`. */
const Chosen = { title: z.string().min(1), day: Day.optional(), from: Day.optional() };
const Removed = z.strictObject(Chosen);
const Retimed = z.strictObject({ ...Chosen, time: ClockRange, to: Day.optional() });
const Changed = z.strictObject({ ...Chosen, location: z.string().min(1) });
export type Chosen = z.infer<typeof Removed>;

/** The expected changes. Every event that is not listed must be unchanged. */
const Expect = z.strictObject({
  added: z.array(Added).default([]),
  removed: z.array(Removed).default([]),
  /** Events that move to the given time, and to the day `to` if it is given. */
  retimed: z.array(Retimed).default([]),
  relocated: z.array(Changed).default([]),
  reminders: z.array(z.strictObject({ day: Day, clock: Clock, text: z.string() })).default([]),
  /** Regular expressions that the last text must match. Placeholders such as `{next tue}` are replaced by dates. */
  says: z.array(z.string()).default([]),
  never_says: z.array(z.string()).default([]),
});
export type Expect = z.infer<typeof Expect>;

const Dialogue = z.strictObject({
  name: z.string().min(1),
  /** The user's messages. Each is sent after the run of the previous message has ended. */
  say: z.array(z.string().min(1)).min(1),
  /** The user's decision at every gate that asks for approval. */
  confirm: z.enum(["approve", "reject"]).default("approve"),
  /** The answers to questions, in order. If there is no answer left, the dialogue ends at the question. */
  answers: z.array(z.string()).default([]),
  expect: Expect.prefault({}),
});
export type Dialogue = z.infer<typeof Dialogue>;

const Suite = z.strictObject({
  name: z.string().min(1),
  description: z.string().default(""),
  /** Used if the server has it, otherwise the default agent. Either gets the toolkit `calendar`. */
  agent: z.string().optional(),
  threshold: z.number().min(0).max(1).default(0),
  calendar: z.strictObject({
    time_zone: z.string(),
    events: z.array(SetupEvent),
    deadlines: z.array(Deadline).default([]),
  }),
  dialogues: z.array(Dialogue).min(1),
});
export type Suite = z.infer<typeof Suite>;

/** Returns null if the file has no `dialogues`. Throws an error for the terminal if the suite is invalid. */
export function readSuite(path: string): Suite | null {
  const content = readYamlFile(path);
  if (typeof content !== "object" || content === null || !("dialogues" in content)) return null;
  const parsed = Suite.safeParse(content);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "(file)"}: ${issue.message}`);
    throw new Error(`${path} is not a valid suite of dialogues:\n  ${issues.join("\n  ")}`);
  }
  return parsed.data;
}
