// Prints one turn while it runs, and returns its response, which the caller prints.
import type { TurnResponse } from "../client/client.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { TurnInput } from "../schema/input.ts";
import type { Problem } from "../schema/problem.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { Connection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { colorize, escapeControl, indent, messageOf, printLine, terminalLine, write } from "./output.ts";
import { planLines } from "./plan-lines.ts";

export type WatchResult = {
  /** Null if nothing was committed, or if it is unknown whether something was. */
  readonly response: TurnResponse | null;
  readonly problem: Pick<Problem, "code" | "message" | "hint"> | null;
};

export async function watchTurn(
  { client }: Connection,
  thread: string,
  input: TurnInput | null,
  signal: AbortSignal,
): Promise<WatchResult> {
  // A plan that the user has just approved was printed with its gate, so it is not printed again.
  const printer = createTurnPrinter(input?.type === "confirm");
  let response: TurnResponse | null = null;
  let problem: WatchResult["problem"] = null;
  try {
    for await (const { type, data } of client.stream(thread, input, { signal })) {
      if (type === "response") response = data as TurnResponse;
      else if (type === "problem") problem = data as Problem;
      else printer.print(data as LiveEvent);
    }
  } catch (error) {
    problem = connectionLost(error);
  }
  printer.end();
  return { response, problem: response || problem ? problem : connectionLost(t().streamEnded) };
}

const connectionLost = (why: unknown): WatchResult["problem"] => ({
  code: "store_unavailable",
  message: t().connectionLost(messageOf(why)),
  hint: t().connectionHint,
});

/** Prints text as it is streamed, and every other event as one line. */
function createTurnPrinter(planKnown: boolean) {
  let speaking = false;
  let printed = "";
  const end = (): void => {
    if (speaking) printLine();
    speaking = false;
  };
  const line = (text: string): void => {
    end();
    printLine(text);
  };
  const speak = (text: string): void => {
    speaking = true;
    printed += text;
    write(escapeControl(text));
  };
  const print = (event: LiveEvent): void => {
    if (event.type === "speak.delta") speak(event.text);
    if (event.type === "speak.discarded") printed = "";
    // Some models and turns do not stream, so the complete text may arrive only at the end.
    const alreadyPrinted = event.type === "speak.completed" && printed.trim() === event.text.trim();
    const text = alreadyPrinted || (planKnown && event.type === "plan.set") ? null : eventLine(event);
    if (text !== null) line(text);
  };
  return { print, end };
}

/** Null if the event is not shown. */
function eventLine(event: LiveEvent): string | null {
  switch (event.type) {
    case "speak.discarded":
      return colorize("dim", t().discarded(terminalLine(event.reason)));
    case "speak.completed":
      return escapeControl(event.text);
    case "tool.started":
      return colorize("cyan", `  … ${escapeControl(event.name)}`);
    case "tool.completed":
      return receiptLine(event.receipt);
    case "plan.set":
      return indent(planLines(event.plan, null));
    case "step.advanced":
      return colorize("dim", t().step(Math.min(event.step + 1, event.steps), event.steps));
    default:
      return null;
  }
}

export function receiptLine({ name, success, summary, kind }: Receipt): string {
  const mark = success ? colorize("green", "✓") : success === false ? colorize("red", "✗") : colorize("yellow", "?");
  const doubtful = kind === "intended" ? t().intended : "";
  return `  ${mark} ${escapeControl(name)}${doubtful}: ${terminalLine(summary, 160)}`;
}
