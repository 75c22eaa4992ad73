// Plays one dialogue over HTTP with a calendar of its own, answers the gates as the dialogue specifies, and reads the
// resulting calendar.
import type { Client, RunResponse } from "../../../client/client.ts";
import type { TurnInput } from "../../../schema/input.ts";
import type { Result } from "../../../schema/problem.ts";
import type { ThreadView, TurnView } from "../../../schema/turn-result.ts";
import type { Connection } from "../../connect.ts";
import { sendText } from "../../send-text.ts";
import { replyTo } from "../play-task.ts";
import type { DialogueResult, ListedEvent, Reminder } from "./compare.ts";
import { addDays, fillDays, resolveDay } from "./days.ts";
import type { Dialogue, Suite } from "./suite.ts";

/** The number of days before and after today within which the calendar is compared. */
const DAYS_BEFORE = 7;
const DAYS_AFTER = 56;
const GATES_MAX = 12;

export type PlayedDialogue = DialogueResult & { readonly thread: ThreadView; readonly turns: readonly TurnView[] };
const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export type Target = Pick<Connection, "client" | "url" | "key"> & { readonly fetch?: typeof fetch };

export async function playDialogue(
  to: Target,
  suite: Suite,
  dialogue: Dialogue,
  today: string,
): Promise<Result<PlayedDialogue>> {
  const { client } = to;
  const { time_zone } = suite.calendar;
  const created = await client.call<{ id: string }>("POST", "/v1/calendars", { name: dialogue.name, time_zone });
  if (!created.ok) return created;
  const { id } = created.value;
  try {
    const filled = await fill(to, id, suite, today);
    if (!filled.ok) return filled;
    const before = await eventsOf(client, id, today);
    if (!before.ok) return before;
    const played = await converse(client, suite, dialogue, { calendar: id, today });
    if (!played.ok) return played;
    const after = await eventsOf(client, id, today);
    if (!after.ok) return after;
    const reminders = await takeReminders(client, played.value.thread.id, time_zone);
    if (!reminders.ok) return reminders;
    return ok({ before: before.value, after: after.value, reminders: reminders.value, ...played.value });
  } finally {
    await client.call("DELETE", `/v1/calendars/${id}`);
  }
}

async function fill(to: Target, id: string, { calendar }: Suite, today: string): Promise<Result<Response>> {
  const text = { type: "text/calendar", body: fileOf(calendar, today) };
  return sendText(to, ["PUT", `/v1/calendars/${id}/ics`], text, to.fetch);
}

function fileOf({ time_zone, events, deadlines }: Suite["calendar"], today: string): string {
  const basic = (day: string) => resolveDay(day, today).replaceAll("-", "");
  const at = (name: string, day: string, clock: string) =>
    `${name};TZID=${time_zone}:${basic(day)}T${clock.replace(":", "")}00`;
  const lines = events.flatMap(({ title, day, time, repeat, location }, n) => [
    "BEGIN:VEVENT",
    `UID:event-${n + 1}@dialogues`,
    ...(time
      ? [at("DTSTART", day, time.slice(0, 5)), at("DTEND", day, time.slice(6))]
      : [`DTSTART;VALUE=DATE:${basic(day)}`]),
    ...(repeat ? [`RRULE:${repeat}`] : []),
    ...(location ? [`LOCATION:${location}`] : []),
    `SUMMARY:${title}`,
    "END:VEVENT",
  ]);
  const todos = deadlines.flatMap(({ title, day, clock }, n) => [
    ...["BEGIN:VTODO", `UID:todo-${n + 1}@dialogues`, at("DUE", day, clock), `SUMMARY:${title}`, "END:VTODO"],
  ]);
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//pawl//dialogues//EN",
    ...lines,
    ...todos,
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

async function eventsOf(client: Client, id: string, today: string): Promise<Result<ListedEvent[]>> {
  const query = new URLSearchParams({ from: addDays(today, -DAYS_BEFORE), to: addDays(today, DAYS_AFTER) });
  const found = await client.call<{ events: ListedEvent[] }>("GET", `/v1/calendars/${id}/events?${query}`);
  return found.ok ? ok(found.value.events) : found;
}

async function converse(
  client: Client,
  { agent }: Suite,
  { say, confirm, answers }: Dialogue,
  { calendar, today }: { calendar: string; today: string },
): Promise<Result<{ readonly thread: ThreadView; readonly turns: readonly TurnView[]; readonly text: string }>> {
  const [goal = "", ...more] = say.map((text) => fillDays(text, today));
  const agents = await client.agents();
  if (!agents.ok) return agents;
  const isKnown = agents.value.agents.some(({ name }) => name === agent);
  const options = { mode: "direct" as const, calendar, toolkits: ["calendar"], ...(agent && isKnown ? { agent } : {}) };
  const created = await client.create({ goal, ...options });
  if (!created.ok) return created;
  const { id } = created.value.thread;
  const turns: TurnView[] = [];
  const given = [...answers];
  const advance = async (input: TurnInput | null): Promise<Result<RunResponse>> => {
    const ran = await client.advanceUntilPause(id, input);
    if (ran.ok) turns.push(...ran.value.turns);
    return ran;
  };
  const untilRest = async (input: TurnInput | null): Promise<Result<RunResponse>> => {
    let ran = await advance(input);
    for (let n = 0; n < GATES_MAX && ran.ok && ran.value.thread.gate; n += 1) {
      const reply = replyTo(ran.value.thread.gate, confirm, given);
      if (!reply) return ran;
      ran = await advance(reply);
    }
    return ran;
  };
  let ran = await untilRest(null);
  for (const text of more) {
    if (!ran.ok || ran.value.thread.gate) break;
    ran = await untilRest({ type: "message", text });
  }
  if (!ran.ok) return ran;
  const { thread } = ran.value;
  const text = thread.gate?.text ?? turns.findLast(({ speak }) => speak)?.speak ?? "";
  return ok({ thread, turns, text });
}

/** Removes the reminders of the thread from the server. */
async function takeReminders(client: Client, thread: string, zone: string): Promise<Result<Reminder[]>> {
  const listed = await client.schedules.list();
  // A host without schedules cannot have reminders.
  if (!listed.ok) return listed.problem.code === "route_not_found" ? ok([]) : listed;
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const reminders: Reminder[] = [];
  for (const { id, when, what } of listed.value.schedules) {
    if (when.kind !== "once" || what.kind !== "message" || what.thread !== thread) continue;
    const text = "text" in what.message ? what.message.text : "";
    reminders.push({ at: local.format(Date.parse(when.at)).replace(" ", "T"), text });
    await client.schedules.remove(id);
  }
  return ok(reminders);
}
