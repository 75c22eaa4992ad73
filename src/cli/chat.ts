// `pawl chat`: ask, watch, decide. The loop keeps no state besides the thread, so the user can leave at any time.
import type { TurnResponse } from "../client/client.ts";
import type { TurnInput } from "../schema/input.ts";
import { answerGate, parseCommand, type UserAction } from "./answer-gate.ts";
import { type Connection, type ServerOptions, withConnection } from "./connect.ts";
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
      await printBanner(connection);
      const opened = await openThread(connection, terminal, options);
      if (opened === "leave") return EXIT_OK;
      return opened === "problem" ? EXIT_PROBLEM : await chatLoop(connection, terminal, opened);
    } finally {
      terminal.close();
    }
  });

async function printBanner({ client, url, isOwnServer: own }: Connection): Promise<void> {
  const about = await client.call<{ model: string; demo: boolean }>("GET", "/v1/about");
  if (!about.ok) return;
  const model = about.value.demo
    ? "the built-in demo model, which only knows the sample calendar (docs/how-to/configure-a-model.md)"
    : escapeControl(about.value.model);
  printLine(colorize("dim", `${own ? "Local server for this session" : url}, ${model}`));
  printLine(colorize("dim", "/show the thread, /cancel the run, /quit. Ctrl-C cancels a running turn."));
}

type OpenedThread = TurnResponse | "leave" | "problem";

async function openThread(
  { client }: Connection,
  terminal: TerminalInput,
  options: ChatOptions,
): Promise<OpenedThread> {
  if (options.thread) return orPrintProblem(await client.get(options.thread));
  const goal = options.goal ?? (await askText(terminal, "What should be done? "));
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

function orPrintProblem(result: Awaited<ReturnType<Connection["client"]["create"]>>): OpenedThread {
  if (result.ok) return result.value;
  printProblem(result.problem);
  return "problem";
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
    const next = turn.response ?? (await reload(connection, current.thread.id));
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
  if (thread.state !== "failed") return askMessage(terminal, "\nWhat next? ");
  const action: UserAction | null = parseCommand(
    await terminal.ask("Press Enter to retry from there, /cancel to give up: "),
  );
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

const EVIDENCE_TEXTS = {
  written: ", proven by receipts",
  observed: ", proven by receipts of what was looked up",
  replied: ", proven by replies only",
  none: "",
};

function printRunEnd({ state, outcome, evidence, evidence_kind, run }: TurnResponse["thread"]): void {
  if (run === 0) return;
  const proven = evidence === "proven" ? EVIDENCE_TEXTS[evidence_kind ?? "none"] : ", not proven";
  if (state === "failed") printLine(colorize("red", "\nThe run failed."));
  else if (outcome === "completed") printLine(colorize("green", `\nDelivered: completed${proven}.`));
  else printLine(colorize("yellow", `\nThe run ended: ${outcome ?? "stopped"}.`));
}

type WatchedTurn = { readonly response: TurnResponse | null; readonly failed: boolean; readonly cancelled: boolean };

/** First Ctrl-C: cancel after this turn. Second: leave; the server still finishes the turn. */
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
    printLine(
      colorize("yellow", "\nThe run will be cancelled after this turn; press Ctrl-C again to leave without waiting."),
    );
  });
  const { response, problem } = await watchTurn(connection, id, input, leaving.signal);
  terminal.onInterrupt(() => undefined);
  if (leaving.signal.aborted) return "leave";
  if (problem) printProblem(problem);
  return { response, failed: problem !== null, cancelled };
}

async function reload({ client }: Connection, id: string): Promise<TurnResponse | null> {
  const loaded = await client.get(id);
  if (loaded.ok) return loaded.value;
  printProblem(loaded.problem);
  return null;
}

async function askToContinue(terminal: TerminalInput): Promise<boolean> {
  const line = await terminal.ask("Press Enter to continue, /quit to leave: ");
  return line !== null && line.trim() !== "/quit";
}

function printResumeHint({ thread, next }: TurnResponse): ExitCode {
  if (next !== "none") printLine(`The thread is waiting. To continue: pawl chat --thread ${thread.id}`);
  return EXIT_OK;
}
