// Defines the state of an open thread, as views read it.
import type { Problem } from "../../schema/problem.ts";
import type { NextAction, ThreadView } from "../../schema/turn-result.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { RecordView } from "../thread/conversation.ts";
import type { QueuedMessage } from "./queued-messages.ts";

export type Failure = { readonly problem: Problem; readonly retry: (() => void) | null };

/** A command for the workers that advance the thread. "run" also restarts a run whose retries are exhausted. */
export type BackgroundCommand = "run" | "pause" | "resume";

export type ThreadData = {
  readonly thread: ThreadView | null;
  /** The title given on creation. A later title is part of the thread. */
  readonly title: string | null;
  readonly next: NextAction;
  readonly records: readonly RecordView[];
  readonly calendar: CalendarView | null;
  readonly running: boolean;
  /** True if the page advances the thread automatically until it needs user input. */
  readonly autoAdvance: boolean;
  readonly failure: Failure | null;
  /** Messages that this tab sent to a background run and that no turn has read yet, oldest first. */
  readonly queuedMessages: readonly QueuedMessage[];
  /** A command that was requested but is not in effect yet. */
  readonly pendingCommand: BackgroundCommand | null;
};

export const initialThreadData = (queuedMessages: readonly QueuedMessage[]): ThreadData => ({
  thread: null,
  title: null,
  next: "none",
  records: [],
  calendar: null,
  running: false,
  autoAdvance: true,
  failure: null,
  queuedMessages,
  pendingCommand: null,
});

/** True if the thread could advance, but neither a worker nor this page advances it. */
export const isStopped = ({ thread, running, next }: ThreadData): boolean =>
  !running && thread?.background === null && next === "advance";
