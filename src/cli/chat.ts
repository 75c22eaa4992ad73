// `pawl chat`: ask, watch, decide. The loop holds nothing that the thread does not hold: leave whenever you like.
import type { TurnResponse } from "../client/client.ts";
import type { TurnInput } from "../schema/input.ts";
import { answerGate, common, type Wish } from "./answer-gate.ts";
import { type Asker, createAsker } from "./ask.ts";
import { type Connection, connected, type Where } from "./connect.ts";
import { DONE, type ExitCode, PROBLEM, paint, plain, say, tellProblem } from "./screen.ts";
import { showThread } from "./show.ts";
import { watchTurn } from "./watch-turn.ts";

export type ChatOptions = Where & {
  readonly goal?: string;
  readonly thread?: string;
  readonly agent?: string;
  readonly direct?: boolean;
};

export const chat = (options: ChatOptions): Promise<ExitCode> =>
  connected(options, async (to) => {
    const asker = createAsker();
    try {
      await greet(to);
      const begun = await begin(to, asker, options);
      if (begun === "leave") return DONE;
      return begun === "problem" ? PROBLEM : await converse(to, asker, begun);
    } finally {
      asker.close();
    }
  });

async function greet({ client, url, own }: Connection): Promise<void> {
  const about = await client.call<{ model: string; demo: boolean }>("GET", "/v1/about");
  if (!about.ok) return;
  const model = about.value.demo
    ? "the built-in demo model, which knows the sample calendar only (docs/how-to/configure-a-model.md)"
    : plain(about.value.model);
  say(paint("dim", `${own ? "A server of its own" : url}, ${model}`));
  say(paint("dim", "/show, /cancel the run, /quit. Ctrl-C cancels while something runs."));
}

type Begun = TurnResponse | "leave" | "problem";

async function begin({ client }: Connection, asker: Asker, options: ChatOptions): Promise<Begun> {
  if (options.thread) return orTell(await client.get(options.thread));
  const goal = options.goal ?? (await askText(asker, "What is to be done? "));
  if (goal === null) return "leave";
  const { agent } = options;
  const created = await client.create({
    goal,
    ...(agent ? { agent } : {}),
    ...(options.direct ? { mode: "direct" as const } : {}),
  });
  if (created.ok) say(paint("dim", created.value.thread.id));
  return orTell(created);
}

function orTell(result: Awaited<ReturnType<Connection["client"]["create"]>>): Begun {
  if (result.ok) return result.value;
  tellProblem(result.problem);
  return "problem";
}

async function askText(asker: Asker, question: string): Promise<string | null> {
  for (;;) {
    const line = await asker.ask(question);
    if (line === null || line.trim() === "/quit") return null;
    if (line.trim()) return line.trim();
  }
}

async function converse(to: Connection, asker: Asker, first: TurnResponse): Promise<ExitCode> {
  let at = first;
  let cancelled = false;
  for (;;) {
    const wish = cancelled && at.next !== "none" ? CANCEL : await wishFor(asker, at);
    if (wish === "leave") return leave(at);
    if (wish === "show") {
      await showThread(to, at.thread.id, {});
      continue;
    }
    const turn = await runTurn(to, asker, at.thread.id, wish.input);
    if (turn === "leave") return leave(at);
    cancelled = turn.cancelled;
    const next = turn.response ?? (await reload(to, at.thread.id));
    if (!next) return PROBLEM;
    at = next;
    if (turn.failed && !(await tryAgain(asker))) return PROBLEM;
  }
}

type Step = { readonly input: TurnInput | null } | "show" | "leave";
const CANCEL: Step = { input: { type: "cancel" } };

async function wishFor(asker: Asker, { thread, next }: TurnResponse): Promise<Step> {
  if (thread.gate) return answerGate(asker, thread.gate);
  if (next !== "none") return { input: null };
  tellEnd(thread);
  if (thread.state !== "failed") return message(asker, "\nWhat next? ");
  const wish: Wish | null = common(await asker.ask("Enter tries it again from there, /cancel gives up: "));
  return wish ?? { input: { type: "reset" } };
}

async function message(asker: Asker, question: string): Promise<Step> {
  for (;;) {
    const line = await asker.ask(question);
    // There is nothing left to cancel.
    const wish = line?.trim() === "/cancel" ? null : common(line);
    if (wish) return wish;
    if (line?.trim() && line.trim() !== "/cancel") return { input: { type: "message", text: line.trim() } };
  }
}

function tellEnd({ state, outcome, evidence, run }: TurnResponse["thread"]): void {
  if (run === 0) return;
  const proven = evidence === "proven" ? ", proven by receipts" : "";
  if (state === "failed") say(paint("red", "\nThe run failed."));
  else if (outcome === "completed") say(paint("green", `\nDelivered: completed${proven}.`));
  else say(paint("yellow", `\nThe run ended: ${outcome ?? "stopped"}.`));
}

type Ran = { readonly response: TurnResponse | null; readonly failed: boolean; readonly cancelled: boolean };

/** Ctrl-C once: cancel after this turn. Twice: leave; the server finishes the turn all the same. */
async function runTurn(to: Connection, asker: Asker, id: string, input: TurnInput | null): Promise<Ran | "leave"> {
  const leaving = new AbortController();
  let cancelled = false;
  asker.onInterrupt(() => {
    if (cancelled) return leaving.abort();
    cancelled = true;
    say(paint("yellow", "\nThe run is cancelled after this turn; Ctrl-C again leaves it alone."));
  });
  const { response, problem } = await watchTurn(to, id, input, leaving.signal);
  asker.onInterrupt(() => undefined);
  if (leaving.signal.aborted) return "leave";
  if (problem) tellProblem(problem);
  return { response, failed: problem !== null, cancelled };
}

async function reload({ client }: Connection, id: string): Promise<TurnResponse | null> {
  const loaded = await client.get(id);
  if (loaded.ok) return loaded.value;
  tellProblem(loaded.problem);
  return null;
}

async function tryAgain(asker: Asker): Promise<boolean> {
  const line = await asker.ask("Enter goes on, /quit leaves: ");
  return line !== null && line.trim() !== "/quit";
}

function leave({ thread, next }: TurnResponse): ExitCode {
  if (next !== "none") say(`It waits as it is. To go on: pawl chat --thread ${thread.id}`);
  return DONE;
}
