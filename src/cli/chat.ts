// Implements `pawl chat`: a loop that sends messages, watches turns and lets the user answer gates. All state is in the
// thread, so the user can leave at any time.
import type { TurnResponse } from "../client/client.ts";
import type { TurnInput } from "../schema/input.ts";
import type { Result } from "../schema/problem.ts";
import { answerGate, parseCommand, type UserAction } from "./answer-gate.ts";
import { type Connection, type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { colorize, EXIT_OK, EXIT_PROBLEM, type ExitCode, escapeControl, printLine, printProblem } from "./output.ts";
import { showThread } from "./show.ts";
import { createTerminalInput, type TerminalInput } from "./terminal-input.ts";
import { watchTurn } from "./watch-turn.ts";

export type ChatOptions = ServerOptions & {
  readonly goal?: string;
  readonly thread?: string;
  readonly agent?: string;
  readonly direct?: boolean;
};

export const chat = (options: ChatOptions): Promise<ExitCode> =>
  withConnection(options, async (connection) => {
    const terminal = createTerminalInput();
    try {
      if (!(await printBanner(connection))) return EXIT_PROBLEM;
      const opened = await openThread(connection, terminal, options);
      if (opened === "leave") return EXIT_OK;
      return opened ? await chatLoop(connection, terminal, opened) : EXIT_PROBLEM;
    } finally {
      terminal.close();
    }
  });

/** Returns false if the server cannot be reached. Any other problem is reported by the next request. */
async function printBanner({ client, url, isOwnServer: own }: Connection): Promise<boolean> {
  const about = await client.call<{ model: string; demo: boolean }>("GET", "/v1/about");
  if (!about.ok) {
    const isUnreachable = about.problem.details?.connection === true;
    if (isUnreachable) printProblem(about.problem);
    return !isUnreachable;
  }
  const model = about.value.demo ? t().demoModel : escapeControl(about.value.model);
  printLine(colorize("dim", `${own ? t().localServer : url}, ${model}`));
  printLine(colorize("dim", t().keys));
  return true;
}

async function openThread(
  { client }: Connection,
  terminal: TerminalInput,
  options: ChatOptions,
): Promise<TurnResponse | "leave" | null> {
  if (options.thread) return orPrintProblem(await client.get(options.thread));
  const goal = options.goal ?? (await askText(terminal, t().goal));
  if (goal === null) return "leave";
  const { agent } = options;
  const created = await client.create({
    goal,
    ...(agent ? { agent } : {}),
    ...(options.direct ? { mode: "direct" as const } : {}),
  });
  if (created.ok) printLine(colorize("dim", created.value.thread.id));
  return orPrintProblem(created);
}

function orPrintProblem(result: Result<TurnResponse>): TurnResponse | null {
  if (result.ok) return result.value;
  printProblem(result.problem);
  return null;
}

async function askText(terminal: TerminalInput, question: string): Promise<string | null> {
  for (;;) {
    const line = await terminal.ask(question);
    if (line === null || line.trim() === "/quit") return null;
    if (line.trim()) return line.trim();
  }
}

async function chatLoop(connection: Connection, terminal: TerminalInput, first: TurnResponse): Promise<ExitCode> {
  let current = first;
  let cancelled = false;
  for (;;) {
    const action = cancelled && current.next !== "none" ? CANCEL : await nextAction(terminal, current);
    if (action === "leave") return printResumeHint(current);
    if (action === "show") {
      await showThread(connection, current.thread.id, {});
      continue;
    }
    const turn = await runTurn(connection, terminal, current.thread.id, action.input);
    if (turn === "leave") return printResumeHint(current);
    cancelled = turn.cancelled;
    const next = turn.response ?? orPrintProblem(await connection.client.get(current.thread.id));
    if (!next) return EXIT_PROBLEM;
    current = next;
    if (turn.failed && !(await askToContinue(terminal))) return EXIT_PROBLEM;
  }
}

type ChatAction = { readonly input: TurnInput | null } | "show" | "leave";
const CANCEL: ChatAction = { input: { type: "cancel" } };

async function nextAction(terminal: TerminalInput, { thread, next }: TurnResponse): Promise<ChatAction> {
  if (thread.gate) return answerGate(terminal, thread.gate);
  if (next !== "none") return { input: null };
  printRunEnd(thread);
  if (thread.state !== "failed") return askMessage(terminal, t().next);
  const action: UserAction | null = parseCommand(await terminal.ask(t().retry));
  return action ?? { input: { type: "reset" } };
}

async function askMessage(terminal: TerminalInput, question: string): Promise<ChatAction> {
  for (;;) {
    const line = await terminal.ask(question);
    // An idle thread has nothing to cancel.
    const action = line?.trim() === "/cancel" ? null : parseCommand(line);
    if (action) return action;
    if (line?.trim() && line.trim() !== "/cancel") return { input: { type: "message", text: line.trim() } };
  }
}

function printRunEnd({ state, outcome, evidence, evidence_kind, run }: TurnResponse["thread"]): void {
  if (run === 0) return;
  const proven = evidence === "proven" ? t().evidence[evidence_kind ?? "none"] : t().notProven;
  if (state === "failed") printLine(colorize("red", t().runFailed));
  else if (outcome === "completed") printLine(colorize("green", t().delivered(proven)));
  else printLine(colorize("yellow", t().ended(outcome)));
}

type WatchedTurn = { readonly response: TurnResponse | null; readonly failed: boolean; readonly cancelled: boolean };

/** The first Ctrl-C cancels the run after this turn. The second leaves the chat, but the server finishes the turn. */
async function runTurn(
  connection: Connection,
  terminal: TerminalInput,
  id: string,
  input: TurnInput | null,
): Promise<WatchedTurn | "leave"> {
  const leaving = new AbortController();
  let cancelled = false;
  terminal.onInterrupt(() => {
    if (cancelled) return leaving.abort();
    cancelled = true;
    printLine(colorize("yellow", t().cancelling));
  });
  const { response, problem } = await watchTurn(connection, id, input, leaving.signal);
  terminal.onInterrupt(() => undefined);
  if (leaving.signal.aborted) return "leave";
  if (problem) printProblem(problem);
  return { response, failed: problem !== null, cancelled };
}

async function askToContinue(terminal: TerminalInput): Promise<boolean> {
  const line = await terminal.ask(t().continueOrQuit);
  return line !== null && line.trim() !== "/quit";
}

function printResumeHint({ thread, next }: TurnResponse): ExitCode {
  if (next !== "none") printLine(t().waiting(thread.id));
  return EXIT_OK;
}
