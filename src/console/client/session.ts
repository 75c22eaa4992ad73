// One open thread: loads it, advances it turn by turn, listens to what others do to it. Knows no view.
import type { SendOptions, TurnResponse } from "../../client/client.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Next, ThreadView } from "../../schema/outcome.ts";
import type { Problem, Result } from "../../schema/problem.ts";
import type { CalendarProposal, CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { RecordView } from "../thread/conversation.ts";
import type { Api } from "./api.ts";
import { hear, isPast, type Live, QUIET } from "./live.ts";
import { lostConnection, newKey } from "./sending.ts";
import { createStore } from "./store.ts";
import { keepWaiting, readWaiting, stillWaiting, type Waiting } from "./waiting.ts";
import { watch } from "./watch.ts";

/** Records of one request, and how many of a long thread are shown at first. */
const PAGE = 100;
/** The server's budget ends a run earlier; this only bounds a loop of our own. */
const TURNS_PER_PUSH = 200;

export type Trouble = { readonly problem: Problem; readonly again: (() => void) | null };

export type ThreadData = {
  readonly thread: ThreadView | null;
  readonly next: Next;
  readonly records: readonly RecordView[];
  readonly calendar: CalendarView | null;
  readonly running: boolean;
  /** Advance by itself until a person is needed. */
  readonly auto: boolean;
  readonly trouble: Trouble | null;
  /** What was sent from here to a background run and not heard yet, the oldest first. */
  readonly waiting: readonly Waiting[];
  /** Asked for, and not yet so. */
  readonly switching: SwitchVerb | null;
};

/** Whether workers advance the thread; "run" also revives a run that was given up. */
export type SwitchVerb = "run" | "pause" | "resume";
type Message = Extract<TurnInput, { type: "message" }>;

/** The last words of a turn; both, when it failed and the failure was stored. */
type Told = { readonly response: TurnResponse | null; readonly problem: Problem | null };

export type Session = ReturnType<typeof createSession>;

export function createSession(api: Api, id: string, changed: () => void = () => undefined) {
  const data = createStore<ThreadData>({
    thread: null,
    next: "none",
    records: [],
    calendar: null,
    running: false,
    auto: true,
    trouble: null,
    waiting: readWaiting(id),
    switching: null,
  });
  const live = createStore<Live>(QUIET);
  let watching = new AbortController();
  let pausing = false;
  /** The newest version that was told of. */
  let told = -1;
  /** Until the server says that it shows no calendars. */
  let asksCalendar = true;

  const version = (): number => data.get().thread?.version ?? -1;
  const isDriven = (): boolean => data.get().thread?.background?.status === "on";
  const fail = (problem: Problem, again: (() => void) | null): void => data.set({ trouble: { problem, again } });

  async function readRecords(after: number): Promise<Result<RecordView[]>> {
    const found: RecordView[] = [];
    for (let from: number | null = after; from !== null; ) {
      const page = await api.records(id, from, PAGE);
      if (!page.ok) return page;
      found.push(...page.value.records);
      from = page.value.records.length === 0 ? null : page.value.after;
    }
    return { ok: true, value: found };
  }

  async function load(): Promise<void> {
    const head = await api.get(id);
    if (!head.ok) return fail(head.problem, () => void load());
    await take(head.value);
  }

  /** Shows the thread as a response gave it, with the records that are new since the last look. */
  async function take({ thread, next }: Pick<TurnResponse, "thread" | "next">): Promise<void> {
    const known = data.get().records;
    const after = known.at(-1)?.version ?? Math.max(-1, thread.version - PAGE);
    const read = await readRecords(after);
    if (!read.ok) return fail(read.problem, () => void load());
    // What was committed since is shown with the response that tells of it: one picture, not two halves.
    const fresh = read.value.filter((record) => record.version <= thread.version);
    const calendar = await readCalendar(thread, fresh);
    if (thread.version < version()) return;
    // The words of the next turn may have come while this one was read.
    if ((live.get().turn ?? 0) <= thread.turn) live.set(QUIET);
    const records = [...data.get().records.filter((record) => record.version <= after), ...fresh];
    data.set({ thread, next, records, calendar });
    setWaiting(stillWaiting(data.get().waiting, records));
    changed();
  }

  function setWaiting(waiting: readonly Waiting[]): void {
    if (waiting.length === 0 && data.get().waiting.length === 0) return;
    keepWaiting(id, waiting);
    data.set({ waiting });
  }

  /** Asked again only when a call waits that may change it, or one has. */
  async function readCalendar(thread: ThreadView, fresh: readonly RecordView[]): Promise<CalendarView | null> {
    const { calendar } = data.get();
    const wrote = fresh.some(({ receipts }) => receipts.some((receipt) => receipt.source === "write_receipt"));
    const asked = calendar === null || calendar.proposed !== null || thread.gate?.kind === "confirmation" || wrote;
    if (!asksCalendar || !asked) return calendar;
    const read = await api.calendar(id);
    if (!read.ok) asksCalendar = read.problem.code !== "route_not_found";
    return read.ok ? read.value : calendar;
  }

  async function loadEarlier(): Promise<void> {
    const first = data.get().records[0]?.version ?? 0;
    const page = await api.records(id, Math.max(-1, first - PAGE - 1), Math.min(PAGE, first));
    if (!page.ok) return fail(page.problem, () => void loadEarlier());
    const earlier = page.value.records.filter((record) => record.version < first);
    data.set({ records: [...earlier, ...data.get().records] });
  }

  /** One turn as a stream. Whatever else it says, the last word is a response or a problem. */
  async function oneTurn(input: TurnInput | null, options: SendOptions): Promise<Told> {
    let problem: Problem | null = null;
    let response: TurnResponse | null = null;
    try {
      for await (const event of api.stream(id, input, options)) {
        if (event.type === "problem") problem = event.data as Problem;
        else if (event.type === "response") response = event.data as TurnResponse;
        else live.set(hear(live.get(), event.data as LiveEvent));
      }
    } catch (error) {
      return { response: null, problem: lostConnection(error) };
    }
    if (response) await take(response);
    return { response, problem: response || problem ? problem : lostConnection("the stream ended early") };
  }

  /** The input, then turn after turn while nobody is needed. A repeated try carries the same key: nothing happens twice. */
  async function send(input: TurnInput | null, options: SendOptions = {}): Promise<boolean> {
    if (data.get().running) return false;
    pausing = false;
    data.set({ running: true, trouble: null });
    let [wish, with_]: [TurnInput | null, SendOptions] = [input, options];
    let sent = true;
    for (let turns = 0; turns < TURNS_PER_PUSH; turns++) {
      const keyed = { ...with_, key: with_.key ?? newKey() };
      const { response, problem } = await oneTurn(wish, keyed);
      if (!response && problem) {
        sent = turns > 0;
        await settleTrouble(problem, () => void send(wish, keyed));
      }
      // A problem that came with a response is in the log, and the conversation shows it there.
      if (problem || response?.next !== "advance" || !data.get().auto || pausing || isDriven()) break;
      [wish, with_] = [null, {}];
    }
    live.set(QUIET);
    data.set({ running: false });
    const { switching } = data.get();
    if (switching) await switchNow(switching, newKey());
    else if (told > version()) await load();
    return sent;
  }

  /** A message for a run that workers drive. Gives the thread that has it: this one, or a copy; null if none took it. */
  async function say(message: Message, if_busy: "enqueue" | "rollback", key = newKey()): Promise<string | null> {
    data.set({ trouble: null });
    const after = version();
    const said = await api.tell(id, message, { if_busy, key });
    if (!said.ok) {
      await settleTrouble(said.problem, () => void say(message, if_busy, key));
      return null;
    }
    if ("queued" in said.value) setWaiting([...data.get().waiting, { text: message.text, after }]);
    else if (said.value.thread.id === id) await take(said.value);
    return "queued" in said.value ? id : said.value.thread.id;
  }

  /** A turn of ours in flight is finished first: the switch would win over it, and it would be lost. */
  async function switchRun(verb: SwitchVerb): Promise<void> {
    pausing = true;
    data.set({ switching: verb });
    if (!data.get().running) await switchNow(verb, newKey());
  }

  async function switchNow(verb: SwitchVerb, key: string): Promise<void> {
    data.set({ trouble: null });
    const switched = await api[verb](id, { key });
    data.set({ switching: null });
    if (switched.ok) await take(switched.value);
    else await settleTrouble(switched.problem, () => void switchNow(verb, key));
  }

  async function settleTrouble(problem: Problem, resend: () => void): Promise<void> {
    const resends = problem.retry === "same-request" || problem.retry === "later";
    fail(problem, resends ? resend : problem.retry === "after-reload" ? () => void load() : null);
    // What the server knows may differ from what is shown here; the reader sees both.
    const head = await api.get(id);
    if (head.ok && head.value.thread.version > version()) await take(head.value);
  }

  return {
    id,
    data,
    live,
    /** A message that is being written: it outlives a form that has to make room. */
    draft: { text: "" },
    send,
    say,
    switchRun,
    loadEarlier,
    /** `push`: it was just created here, so its first run starts at once. */
    async open(push: boolean): Promise<void> {
      watching.abort();
      watching = new AbortController();
      const { signal } = watching;
      await load();
      if (push && data.get().next === "advance" && !isDriven()) void send(null);
      const last = data.get().records.at(-1)?.events;
      await watch(api, id, last ? last.first + last.count - 1 : -1, signal, (event) => {
        if ("seq" in event && event.type === "turn.committed") told = Math.max(told, event.version);
        if (data.get().running) return;
        if (!isPast(event, data.get().thread)) live.set(hear(live.get(), event));
        if ("seq" in event && event.type === "turn.committed" && event.version > version()) void load();
      });
    },
    /** Nobody looks any more. A run that goes on by itself goes on. */
    close: () => watching.abort(),
    pause: () => {
      pausing = true;
    },
    /** What other arguments of the waiting call would do to the calendar. */
    foresee: async (edited: string): Promise<CalendarProposal | null> => {
      const view = await api.calendar(id, edited);
      return view.ok ? view.value.proposed : null;
    },
    setAuto: (auto: boolean) => data.set({ auto }),
    dismiss: () => data.set({ trouble: null }),
  };
}
