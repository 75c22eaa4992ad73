// One open thread: loads it, advances it turn by turn, listens to what others do to it. Knows no view.
import type { SendOptions, TurnResponse } from "../../client/client.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Problem, Result } from "../../schema/problem.ts";
import type { NextAction, ThreadView } from "../../schema/turn-result.ts";
import type { CalendarProposal, CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { RecordView } from "../thread/conversation.ts";
import type { Api } from "./api.ts";
import { applyEvent, EMPTY_PREVIEW, isStale, type LivePreview } from "./live-preview.ts";
import { type QueuedMessage, readQueuedMessages, stillQueued, storeQueuedMessages } from "./queued-messages.ts";
import { connectionLost, newIdempotencyKey } from "./request-helpers.ts";
import { createStore } from "./store.ts";
import { watchThread } from "./watch-thread.ts";

/** Records of one request, and how many of a long thread are shown at first. */
const PAGE_SIZE = 100;
/** The server's budget ends a run earlier; this only bounds a loop of our own. */
const MAX_AUTO_TURNS = 200;

export type Failure = { readonly problem: Problem; readonly retry: (() => void) | null };

export type ThreadData = {
  readonly thread: ThreadView | null;
  readonly next: NextAction;
  readonly records: readonly RecordView[];
  readonly calendar: CalendarView | null;
  readonly running: boolean;
  /** Advance by itself until a person is needed. */
  readonly autoAdvance: boolean;
  readonly failure: Failure | null;
  /** What was sent from here to a background run and not heard yet, the oldest first. */
  readonly queuedMessages: readonly QueuedMessage[];
  /** Asked for, and not yet so. */
  readonly pendingCommand: BackgroundCommand | null;
};

/** Whether workers advance the thread; "run" also revives a run that was given up. */
export type BackgroundCommand = "run" | "pause" | "resume";
type Message = Extract<TurnInput, { type: "message" }>;

/** The last words of a turn; both, when it failed and the failure was stored. */
type StreamedTurn = { readonly response: TurnResponse | null; readonly problem: Problem | null };

export type Session = ReturnType<typeof createSession>;

export function createSession(api: Api, id: string, changed: () => void = () => undefined) {
  const data = createStore<ThreadData>({
    thread: null,
    next: "none",
    records: [],
    calendar: null,
    running: false,
    autoAdvance: true,
    failure: null,
    queuedMessages: readQueuedMessages(id),
    pendingCommand: null,
  });
  const live = createStore<LivePreview>(EMPTY_PREVIEW);
  let watchController = new AbortController();
  let pauseRequested = false;
  /** The newest version that was told of. */
  let announcedVersion = -1;
  /** Until the server says that it shows no calendars. */
  let hasCalendar = true;

  const version = (): number => data.get().thread?.version ?? -1;
  const isInBackground = (): boolean => data.get().thread?.background?.status === "on";
  const showProblem = (problem: Problem, again: (() => void) | null): void =>
    data.set({ failure: { problem, retry: again } });

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
    await applyResponse(head.value);
  }

  /** Shows the thread as a response gave it, with the records that are new since the last look. */
  async function applyResponse({ thread, next }: Pick<TurnResponse, "thread" | "next">): Promise<void> {
    const known = data.get().records;
    const after = known.at(-1)?.version ?? Math.max(-1, thread.version - PAGE_SIZE);
    const read = await readRecords(after);
    if (!read.ok) return showProblem(read.problem, () => void load());
    // What was committed since is shown with the response that tells of it: one picture, not two halves.
    const newRecords = read.value.filter((record) => record.version <= thread.version);
    const calendar = await readCalendar(thread, newRecords);
    if (thread.version < version()) return;
    // The words of the next turn may have come while this one was read.
    if ((live.get().turn ?? 0) <= thread.turn) live.set(EMPTY_PREVIEW);
    const records = [...data.get().records.filter((record) => record.version <= after), ...newRecords];
    data.set({ thread, next, records, calendar });
    setQueuedMessages(stillQueued(data.get().queuedMessages, records));
    changed();
  }

  function setQueuedMessages(waiting: readonly QueuedMessage[]): void {
    if (waiting.length === 0 && data.get().queuedMessages.length === 0) return;
    storeQueuedMessages(id, waiting);
    data.set({ queuedMessages: waiting });
  }

  /** Asked again only when a call waits that may change it, or one has. */
  async function readCalendar(thread: ThreadView, fresh: readonly RecordView[]): Promise<CalendarView | null> {
    const { calendar } = data.get();
    const wrote = fresh.some(({ receipts }) => receipts.some((receipt) => receipt.source === "write_receipt"));
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

  /** One turn as a stream. Whatever else it says, the last word is a response or a problem. */
  async function streamTurn(input: TurnInput | null, options: SendOptions): Promise<StreamedTurn> {
    let problem: Problem | null = null;
    let response: TurnResponse | null = null;
    try {
      for await (const event of api.stream(id, input, options)) {
        if (event.type === "problem") problem = event.data as Problem;
        else if (event.type === "response") response = event.data as TurnResponse;
        else live.set(applyEvent(live.get(), event.data as LiveEvent));
      }
    } catch (error) {
      return { response: null, problem: connectionLost(error) };
    }
    if (response) await applyResponse(response);
    return { response, problem: response || problem ? problem : connectionLost("the stream ended early") };
  }

  /** The input, then turn after turn while nobody is needed. A repeated try carries the same key: nothing happens twice. */
  async function send(input: TurnInput | null, options: SendOptions = {}): Promise<boolean> {
    if (data.get().running) return false;
    pauseRequested = false;
    data.set({ running: true, failure: null });
    let [nextInput, nextOptions]: [TurnInput | null, SendOptions] = [input, options];
    let sent = true;
    for (let turns = 0; turns < MAX_AUTO_TURNS; turns++) {
      const keyedOptions = { ...nextOptions, key: nextOptions.key ?? newIdempotencyKey() };
      const { response, problem } = await streamTurn(nextInput, keyedOptions);
      if (!response && problem) {
        sent = turns > 0;
        await handleProblem(problem, () => void send(nextInput, keyedOptions));
      }
      // A problem that came with a response is in the log, and the conversation shows it there.
      if (problem || response?.next !== "advance" || !data.get().autoAdvance || pauseRequested || isInBackground())
        break;
      [nextInput, nextOptions] = [null, {}];
    }
    live.set(EMPTY_PREVIEW);
    data.set({ running: false });
    const { pendingCommand } = data.get();
    if (pendingCommand) await applyCommand(pendingCommand, newIdempotencyKey());
    else if (announcedVersion > version()) await load();
    return sent;
  }

  /** A message for a run that workers drive. Gives the thread that has it: this one, or a copy; null if none took it. */
  async function sendToBackground(
    message: Message,
    if_busy: "enqueue" | "rollback",
    key = newIdempotencyKey(),
  ): Promise<string | null> {
    data.set({ failure: null });
    const after = version();
    const response = await api.sendMessage(id, message, { if_busy, key });
    if (!response.ok) {
      await handleProblem(response.problem, () => void sendToBackground(message, if_busy, key));
      return null;
    }
    if ("queued" in response.value) setQueuedMessages([...data.get().queuedMessages, { text: message.text, after }]);
    else if (response.value.thread.id === id) await applyResponse(response.value);
    return "queued" in response.value ? id : response.value.thread.id;
  }

  /** A turn of ours in flight is finished first: the switch would win over it, and it would be lost. */
  async function controlBackground(command: BackgroundCommand): Promise<void> {
    pauseRequested = true;
    data.set({ pendingCommand: command });
    if (!data.get().running) await applyCommand(command, newIdempotencyKey());
  }

  async function applyCommand(command: BackgroundCommand, key: string): Promise<void> {
    data.set({ failure: null });
    const switched = await api[command](id, { key });
    data.set({ pendingCommand: null });
    if (switched.ok) await applyResponse(switched.value);
    else await handleProblem(switched.problem, () => void applyCommand(command, key));
  }

  async function handleProblem(problem: Problem, resend: () => void): Promise<void> {
    const canResend = problem.retry === "same-request" || problem.retry === "later";
    showProblem(problem, canResend ? resend : problem.retry === "after-reload" ? () => void load() : null);
    // What the server knows may differ from what is shown here; the reader sees both.
    const head = await api.get(id);
    if (head.ok && head.value.thread.version > version()) await applyResponse(head.value);
  }

  return {
    id,
    data,
    live,
    /** A message that is being written: it outlives a form that has to make room. */
    draft: { text: "" },
    send,
    say: sendToBackground,
    switchRun: controlBackground,
    loadEarlier,
    /** `push`: it was just created here, so its first run starts at once. */
    async open(startRun: boolean): Promise<void> {
      watchController.abort();
      watchController = new AbortController();
      const { signal } = watchController;
      await load();
      if (startRun && data.get().next === "advance" && !isInBackground()) void send(null);
      const last = data.get().records.at(-1)?.events;
      await watchThread(api, id, last ? last.first + last.count - 1 : -1, signal, (event) => {
        if ("seq" in event && event.type === "turn.committed")
          announcedVersion = Math.max(announcedVersion, event.version);
        if (data.get().running) return;
        if (!isStale(event, data.get().thread)) live.set(applyEvent(live.get(), event));
        if ("seq" in event && event.type === "turn.committed" && event.version > version()) void load();
      });
    },
    /** Nobody looks any more. A run that goes on by itself goes on. */
    close: () => watchController.abort(),
    pause: () => {
      pauseRequested = true;
    },
    /** What other arguments of the waiting call would do to the calendar. */
    previewProposal: async (edited: string): Promise<CalendarProposal | null> => {
      const view = await api.calendar(id, edited);
      return view.ok ? view.value.proposed : null;
    },
    setAuto: (auto: boolean) => data.set({ autoAdvance: auto }),
    dismiss: () => data.set({ failure: null }),
  };
}
