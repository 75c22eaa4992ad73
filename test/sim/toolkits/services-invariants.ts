// Checks what must hold for reminders, databases and MCP servers. It is derived from the calls and the replies of users
// in the logs, and from what arrived at the services.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { Entry } from "../../../src/schema/record.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import type { RecordedCall } from "./invariants.ts";
import { MASKED_VALUE, type Services } from "./services.ts";

type Rows = readonly { readonly entry: Entry; readonly state: ThreadState }[];
type Thread = { readonly id: string; readonly rows: Rows };

export function serviceViolations(
  data: MemoryData,
  threads: readonly Thread[],
  calls: readonly RecordedCall[],
  services: Services,
): readonly string[] {
  return [
    ...remindersMatchCalls(data, calls),
    ...queriesOnlyRead(services),
    ...threads.flatMap(({ id, rows }) => [...maskedStaysHidden(id, rows), ...outsideTextTaints(id, rows)]),
    ...reportsMatchAnswers(threads, calls, services),
  ];
}

type StoredSchedule = {
  readonly when: { readonly at: string };
  readonly what: { readonly thread: string; readonly message: { readonly text: string } };
};

/**
 * Converts a local time to an instant. In March, Berlin is one hour ahead of UTC until the 29th, and the calls name
 * earlier days.
 */
const instantOf = (local: string): number => Date.parse(`${local}:00+01:00`);

/**
 * Checks that a call that reports success set one reminder, for its time and its thread, and that no other reminder
 * exists.
 */
function remindersMatchCalls(data: MemoryData, calls: readonly RecordedCall[]): readonly string[] {
  const stored = [...data.records]
    .filter(([key]) => key.includes("/sch_"))
    .map(([, rows]) => findSchedule(JSON.parse(rows.at(-1)?.state ?? "null")))
    .filter((schedule) => schedule !== null);
  const made = calls.filter(({ tool }) => tool === "set_reminder");
  const strangers = stored.filter(
    ({ when, what }) =>
      !made.some(
        ({ thread, arguments: { text, at } }) =>
          what.thread === thread &&
          what.message.text === `Reminder: ${String(text)}` &&
          Date.parse(when.at) === instantOf(String(at)),
      ),
  );
  const counts = (text: unknown): number =>
    stored.filter(({ what }) => what.message.text === `Reminder: ${String(text)}`).length;
  return [
    ...strangers.map(({ what, when }) => `T7 ${what.message.text} at ${when.at} was not called like that`),
    ...made.flatMap(({ effect, success, arguments: { text } }) => {
      const count = counts(text);
      if (count > 1) return [`T7 ${effect} set ${count} reminders`];
      return success === true && count === 0 ? [`T7 ${effect} is reported, but there is no reminder`] : [];
    }),
  ];
}

/** Finds the schedule in a stored document at any depth. */
function findSchedule(value: unknown): StoredSchedule | null {
  if (typeof value !== "object" || value === null) return null;
  if ("when" in value && "what" in value) return value as StoredSchedule;
  for (const part of Object.values(value)) {
    const found = findSchedule(part);
    if (found) return found;
  }
  return null;
}

/** Checks that the database ran only single SELECT statements on the granted table, without the masked column. */
const queriesOnlyRead = ({ statements }: Services): readonly string[] =>
  statements.flatMap((sql) =>
    /^SELECT\b/i.test(sql) &&
    !/;|\bINTO\b|\bemail\b|\*/i.test(sql) &&
    /\bcustomers\b/.test(sql) &&
    !/salaries/.test(sql)
      ? []
      : [`T8 the database ran ${sql}`],
  );

const maskedStaysHidden = (id: string, rows: Rows): readonly string[] =>
  rows.flatMap(({ entry }, version) =>
    JSON.stringify(entry).includes(MASKED_VALUE) ? [`T8 record ${version} of ${id} shows a masked value`] : [],
  );

/**
 * Checks that rows of a database and results of an MCP server taint the thread from then on, because others wrote them.
 */
function outsideTextTaints(id: string, rows: Rows): readonly string[] {
  const first = rows.findIndex(({ entry }) =>
    entry.receipts.some(({ name, success }) => /^mysql_query$|^mcp_desk_/.test(name) && success === true),
  );
  const clean = first < 0 ? -1 : rows.findIndex(({ state }, version) => version >= first && state.taint === null);
  return clean < 0 ? [] : [`T8 record ${clean} of ${id} holds text of others and is not tainted`];
}

/**
 * Checks that a report is filed once with the topic that a user named, and once more for each time that a user chose to
 * retry.
 */
function reportsMatchAnswers(
  threads: readonly Thread[],
  calls: readonly RecordedCall[],
  { filed }: Services,
): readonly string[] {
  const made = calls.filter(({ tool }) => tool === "mcp_desk_file_report");
  return filed.flatMap(({ report, topic }) => {
    const call = made.find(({ arguments: args }) => args.report === report);
    if (!call) return [`T9 ${report} was filed without a recorded call`];
    const rows = threads.find(({ id }) => id === call.thread)?.rows ?? [];
    const inputs = rows.map(({ entry }) => entry.input);
    if (!inputs.some((input) => input?.type === "answer" && input.text === topic))
      return [`T9 ${report} was filed with the topic ${topic}, which nobody named`];
    const retries = inputs.filter((input) => input?.type === "resolve" && input.outcome === "try_again").length;
    const count = filed.filter((one) => one.report === report).length;
    return count > 1 + retries ? [`T9 ${report} was filed ${count} times`] : [];
  });
}
