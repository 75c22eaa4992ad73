// Reads a thread, its records and its calendar from the server into the session's stores. Sends no turns.
import type { TurnResponse } from "../../client/client.ts";
import type { Problem, Result } from "../../schema/problem.ts";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { RecordView } from "../thread/conversation.ts";
import type { Api } from "./api.ts";
import { EMPTY_PREVIEW, type LivePreview } from "./live-preview.ts";
import { type QueuedMessage, stillQueued, storeQueuedMessages } from "./queued-messages.ts";
import type { ThreadData } from "./session-data.ts";
import type { Store } from "./store.ts";

/** The number of records per request. A long thread shows as many at first. */
const PAGE_SIZE = 60;

type LoaderOptions = {
  readonly data: Store<ThreadData>;
  readonly live: Store<LivePreview>;
  readonly onChange: () => void;
};

export function createThreadLoader(api: Api, id: string, { data, live, onChange }: LoaderOptions) {
  /** Becomes false when the server reports that it has no calendar route. */
  let hasCalendar = true;

  const version = (): number => data.get().thread?.version ?? -1;
  const showProblem = (problem: Problem, retry: (() => void) | null): void => data.set({ failure: { problem, retry } });

  async function readRecords(after: number): Promise<Result<RecordView[]>> {
    const found: RecordView[] = [];
    for (let from: number | null = after; from !== null; ) {
      const page = await api.records(id, from, PAGE_SIZE);
      if (!page.ok) return page;
      found.push(...page.value.records);
      from = page.value.records.length === 0 ? null : page.value.after;
    }
    return { ok: true, value: found };
  }

  async function load(): Promise<void> {
    const head = await api.get(id);
    if (!head.ok) return showProblem(head.problem, () => void load());
    const { title } = head.value.metadata;
    data.set({ title: typeof title === "string" && title ? title : null });
    await applyResponse(head.value);
  }

  /** Shows the thread from a response, together with the records added since the last read. */
  async function applyResponse({ thread, next }: Pick<TurnResponse, "thread" | "next">): Promise<void> {
    const known = data.get().records;
    const after = known.at(-1)?.version ?? Math.max(-1, thread.version - PAGE_SIZE);
    const read = await readRecords(after);
    if (!read.ok) return showProblem(read.problem, () => void load());
    // Records newer than this response wait for the response that includes them, so the view stays consistent.
    const newRecords = read.value.filter((record) => record.version <= thread.version);
    const calendar = await readCalendar(thread, newRecords);
    if (thread.version < version()) return;
    // Text of the next turn may have arrived while this response was being read, and must stay.
    if ((live.get().turn ?? 0) <= thread.turn) live.set(EMPTY_PREVIEW);
    const records = [...data.get().records.filter((record) => record.version <= after), ...newRecords];
    data.set({ thread, next, records, calendar });
    setQueuedMessages(stillQueued(data.get().queuedMessages, records));
    onChange();
  }

  function setQueuedMessages(messages: readonly QueuedMessage[]): void {
    if (messages.length === 0 && data.get().queuedMessages.length === 0) return;
    storeQueuedMessages(id, messages);
    data.set({ queuedMessages: messages });
  }

  /** Reloads the calendar only if a pending call may change it or a call has changed it. */
  async function readCalendar(thread: ThreadView, newRecords: readonly RecordView[]): Promise<CalendarView | null> {
    const { calendar } = data.get();
    const wrote = newRecords.some(({ receipts }) => receipts.some((receipt) => receipt.source === "write_receipt"));
    const shouldReload =
      calendar === null || calendar.proposed !== null || thread.gate?.kind === "confirmation" || wrote;
    if (!hasCalendar || !shouldReload) return calendar;
    const read = await api.calendar(id);
    if (!read.ok) hasCalendar = read.problem.code !== "route_not_found";
    return read.ok ? read.value : calendar;
  }

  async function loadEarlier(): Promise<void> {
    const first = data.get().records[0]?.version ?? 0;
    const page = await api.records(id, Math.max(-1, first - PAGE_SIZE - 1), Math.min(PAGE_SIZE, first));
    if (!page.ok) return showProblem(page.problem, () => void loadEarlier());
    const earlier = page.value.records.filter((record) => record.version < first);
    data.set({ records: [...earlier, ...data.get().records] });
  }

  async function handleProblem(problem: Problem, resend: () => void): Promise<void> {
    const canResend = problem.retry === "same-request" || problem.retry === "later";
    showProblem(problem, canResend ? resend : problem.retry === "after-reload" ? () => void load() : null);
    const head = await api.get(id);
    if (head.ok && head.value.thread.version > version()) await applyResponse(head.value);
  }

  return { version, load, applyResponse, setQueuedMessages, loadEarlier, handleProblem };
}
