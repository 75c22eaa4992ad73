// Finds deadlines by title. A deadline is an open to-do of the calendar, and work with its title must end before it is
// due.
import { ok, type Result } from "../../../schema/problem.ts";
import { instantText } from "../events/describe.ts";
import { type Occurrence, occurrencesIn } from "../events/occurrences.ts";
import { refuse } from "../tools/arguments.ts";
import type { Session } from "../tools/session.ts";

const sameTitle = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Returns the earliest open to-do with this title that is due before `until`, or null if there is none. */
export async function deadlineOf(session: Session, title: string, until: number): Promise<Result<Occurrence | null>> {
  if (until <= session.now) return ok(null);
  const range = { from: session.now, to: until };
  const objects = await session.calendar.inRange(range);
  if (!objects.ok) return objects;
  // Only to-dos with this title are expanded, because a long range may contain very many other events.
  const todos = objects.value.filter((one) => one.type === "todo" && sameTitle(one.title, title));
  return ok(occurrencesIn(todos, range, session.zone)[0] ?? null);
}

export async function checkDeadline(session: Session, title: string, end: number): Promise<Result<void>> {
  const due = await deadlineOf(session, title, end);
  if (!due.ok) return due;
  if (!due.value || due.value.start >= end) return ok(undefined);
  const at = instantText(due.value.start, session.zone);
  return refuse(`"${title}" is due ${at}, before this would end. Nothing was changed; choose an earlier time.`);
}
