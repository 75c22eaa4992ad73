// Manages one open thread: loads it, advances it turn by turn, and follows changes by other clients, without the UI.
import type { SendOptions, TurnResponse } from "../../client/client.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import type { ProposedCalendarChange } from "../../toolkits/calendar/schema/views.ts";
import type { CalendarProposal } from "../../toolkits/timetable/schema/calendar-view.ts";
import { t } from "../messages/messages.ts";
import type { Api } from "./api.ts";
import { connectionStore } from "./connection.ts";
import { applyEvent, EMPTY_PREVIEW, isStale, type LivePreview } from "./live-preview.ts";
import { readQueuedMessages } from "./queued-messages.ts";
import { connectionLost, isConnectionProblem, newIdempotencyKey } from "./request-helpers.ts";
import { type BackgroundCommand, initialThreadData, type ThreadData } from "./session-data.ts";
import { createStore } from "./store.ts";
import { createThreadLoader } from "./thread-loader.ts";
import { watchThread } from "./watch-thread.ts";

/** Turns after one input. Normally the budget of the server ends a run earlier. */
const MAX_AUTO_TURNS = 200;
/** The delays before a turn is sent again after its stream broke although the server responds. */
const RESEND_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 15_000];

type Message = Extract<TurnInput, { type: "message" }>;

type StreamedTurn = { readonly response: TurnResponse | null; readonly problem: Problem | null };

/** True if the stream broke, or if a repeated request shows that the turn of the broken stream is still running. */
const hasBroken = ({ response, problem }: StreamedTurn, attempt: number): boolean =>
  response === null &&
  problem !== null &&
  !connectionStore.get().lost &&
  (isConnectionProblem(problem) || (attempt > 0 && problem.code === "turn_running"));

export type Session = ReturnType<typeof createSession>;

export function createSession(api: Api, id: string, onChange: () => void = () => undefined) {
  const data = createStore<ThreadData>(initialThreadData(readQueuedMessages(id)));
  const live = createStore<LivePreview>(EMPTY_PREVIEW);
  const loader = createThreadLoader(api, id, { data, live, onChange });
  let watchController = new AbortController();
  let pauseRequested = false;
  let announcedVersion = -1;

  const isInBackground = (): boolean => data.get().thread?.background?.status === "on";

  /** Runs one turn as a stream, which ends with a response or a problem. */
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
    if (response) await loader.applyResponse(response);
    return { response, problem: response || problem ? problem : connectionLost(t().problem.streamEnded) };
  }

  /** Repeats a broken stream with the same key. While the server cannot be reached, `recover` does it instead. */
  async function streamReliably(input: TurnInput | null, options: SendOptions): Promise<StreamedTurn> {
    for (let attempt = 0; ; attempt++) {
      const streamed = await streamTurn(input, options);
      const wait = RESEND_DELAYS_MS[attempt];
      if (wait === undefined || !hasBroken(streamed, attempt)) return streamed;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** Sends the input, then advances until user input is needed. A retry reuses its idempotency key, so nothing runs twice. */
  async function send(input: TurnInput | null, options: SendOptions = {}): Promise<boolean> {
    if (data.get().running) return false;
    pauseRequested = false;
    data.set({ running: true, failure: null });
    let [nextInput, nextOptions]: [TurnInput | null, SendOptions] = [input, options];
    let sent = true;
    for (let turns = 0; turns < MAX_AUTO_TURNS; turns++) {
      const keyedOptions = { ...nextOptions, key: nextOptions.key ?? newIdempotencyKey() };
      const { response, problem } = await streamReliably(nextInput, keyedOptions);
      if (!response && problem) {
        sent = turns > 0;
        await loader.handleProblem(problem, () => void send(nextInput, keyedOptions));
      }
      // A problem that arrived with a response is in the log, and the conversation shows it there.
      if (problem || response?.next !== "advance" || !data.get().autoAdvance || pauseRequested || isInBackground())
        break;
      [nextInput, nextOptions] = [null, {}];
    }
    live.set(EMPTY_PREVIEW);
    data.set({ running: false });
    const { pendingCommand } = data.get();
    if (pendingCommand) await applyCommand(pendingCommand, newIdempotencyKey());
    else if (announcedVersion > loader.version()) await loader.load();
    return sent;
  }

  /** Sends a message to a background run. Returns the thread that received it, which may be a fork, or null if none did. */
  async function sendToBackground(
    message: Message,
    if_busy: "enqueue" | "rollback",
    key = newIdempotencyKey(),
  ): Promise<string | null> {
    data.set({ failure: null });
    const after = loader.version();
    const response = await api.sendMessage(id, message, { if_busy, key });
    if (!response.ok) {
      await loader.handleProblem(response.problem, () => void sendToBackground(message, if_busy, key));
      return null;
    }
    if ("queued" in response.value)
      loader.setQueuedMessages([...data.get().queuedMessages, { text: message.text, after }]);
    else if (response.value.thread.id === id) await loader.applyResponse(response.value);
    return "queued" in response.value ? id : response.value.thread.id;
  }

  /** Waits for this tab's running turn, because the command would supersede the turn and lose its result. */
  async function controlBackground(command: BackgroundCommand): Promise<void> {
    pauseRequested = true;
    data.set({ pendingCommand: command });
    if (!data.get().running) await applyCommand(command, newIdempotencyKey());
  }

  async function applyCommand(command: BackgroundCommand, key: string): Promise<void> {
    data.set({ failure: null });
    const response = await api[command](id, { key });
    data.set({ pendingCommand: null });
    if (response.ok) await loader.applyResponse(response.value);
    else await loader.handleProblem(response.problem, () => void applyCommand(command, key));
  }

  function handleEvent(event: LiveEvent): void {
    const committedVersion = "seq" in event && event.type === "turn.committed" ? event.version : -1;
    announcedVersion = Math.max(announcedVersion, committedVersion);
    if (data.get().running) return;
    if (!isStale(event, data.get().thread)) live.set(applyEvent(live.get(), event));
    if (committedVersion > loader.version()) void loader.load();
  }

  return {
    id,
    data,
    live,
    /** The message being typed. It is stored here because the form that edits it can be unmounted. */
    draft: { text: "" },
    /** The forms that are open. They are stored here, because the message field and the palette also open them. */
    view: createStore<{ editedGate: string | null; rejectedGate: string | null; renaming: boolean }>({
      editedGate: null,
      rejectedGate: null,
      renaming: false,
    }),
    /** Reports whether the last message was refused because a gate is open, and hides that problem. */
    takeGateOpened: (): boolean => {
      const isRefused = data.get().failure?.problem.code === "gate_open";
      if (isRefused) data.set({ failure: null });
      return isRefused;
    },
    send,
    sendToBackground,
    controlBackground,
    async rename(title: string): Promise<boolean> {
      const response = await api.rename(id, title);
      if (response.ok) await loader.applyResponse(response.value);
      else await loader.handleProblem(response.problem, () => void this.rename(title));
      return response.ok;
    },
    loadEarlier: loader.loadEarlier,
    /** Opens the thread. With `startRun`, it was just created in this tab, so its first run starts immediately. */
    async open(startRun: boolean): Promise<void> {
      watchController.abort();
      watchController = new AbortController();
      const { signal } = watchController;
      await loader.load();
      if (startRun && data.get().next === "advance" && !isInBackground()) void send(null);
      const last = data.get().records.at(-1)?.events;
      await watchThread(api, id, last ? last.first + last.count - 1 : -1, signal, handleEvent);
    },
    /** Repeats the request that failed because the connection was lost, and reads the missed events. */
    async recover(): Promise<void> {
      const { failure, running } = data.get();
      // Clears the preview. If another client's turn is still running, the server sends its text again. If the server
      // was killed, no more text of that turn arrives.
      if (!running) live.set(EMPTY_PREVIEW);
      if (failure && isConnectionProblem(failure.problem)) {
        data.set({ failure: null });
        failure.retry?.();
      }
      await this.open(false);
    },
    /** Stops following events. A run that this tab advances continues. */
    close: () => watchController.abort(),
    pause: () => {
      pauseRequested = true;
    },
    gateLink: (gate: string) => api.gateLink(gate, id),
    /** Replaces the calendar of the thread. Returns the problem, if there is one. */
    async importCalendar(file: File): Promise<Problem | null> {
      const imported = await api.importCalendar(id, file);
      if (!imported.ok) return imported.problem;
      const view = await api.calendar(id);
      if (view.ok) data.set({ calendar: view.value });
      return null;
    },
    /** Returns the proposed change of the calendar with edited arguments. */
    previewProposal: async (edited: string): Promise<CalendarProposal | null> => {
      const view = await api.calendar(id, edited);
      return view.ok ? view.value.proposed : null;
    },
    /** Previews the pending change of a calendar with real times, as proposed or with `edited` arguments. */
    previewEventChange: async (edited: string | null): Promise<ProposedCalendarChange["proposed"]> => {
      const change = await api.calendarChange(id, edited);
      return change.ok ? change.value.proposed : null;
    },
    setAutoAdvance: (autoAdvance: boolean) => data.set({ autoAdvance }),
    dismiss: () => data.set({ failure: null }),
  };
}
