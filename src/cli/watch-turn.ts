// One turn while it happens, as lines for a person. What it comes to is given back, not printed.
import type { TurnResponse } from "../client/client.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { TurnInput } from "../schema/input.ts";
import type { Problem } from "../schema/problem.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { Connection } from "./connect.ts";
import { planLines } from "./plan-lines.ts";
import { indent, oneLine, paint, plain, say, write } from "./screen.ts";

export type Watched = {
  /** null: nothing was committed, or nobody knows. */
  readonly response: TurnResponse | null;
  readonly problem: Pick<Problem, "code" | "message" | "hint"> | null;
};

export async function watchTurn(
  { client }: Connection,
  thread: string,
  input: TurnInput | null,
  signal: AbortSignal,
): Promise<Watched> {
  // Whoever has just approved a plan has it on the screen.
  const view = createView(input?.type === "confirm");
  let response: TurnResponse | null = null;
  let problem: Watched["problem"] = null;
  try {
    for await (const { type, data } of client.stream(thread, input, { signal })) {
      if (type === "response") response = data as TurnResponse;
      else if (type === "problem") problem = data as Problem;
      else view.hear(data as LiveEvent);
    }
  } catch (error) {
    problem = brokenOff(error);
  }
  view.end();
  return { response, problem: response || problem ? problem : brokenOff("the stream ended early") };
}

const brokenOff = (why: unknown): Watched["problem"] => ({
  code: "store_unavailable",
  message: `The connection broke off: ${why instanceof Error ? why.message : String(why)}`,
  hint: "What was committed is committed: load the thread and look.",
});

/** Words as they come; a line of its own for everything that happened. */
function createView(planKnown: boolean) {
  let speaking = false;
  let spoken = "";
  const end = (): void => {
    if (speaking) say();
    speaking = false;
  };
  const line = (text: string): void => {
    end();
    say(text);
  };
  const speak = (text: string): void => {
    speaking = true;
    spoken += text;
    write(plain(text));
  };
  const hear = (event: LiveEvent): void => {
    if (event.type === "speak.delta") speak(event.text);
    if (event.type === "speak.discarded") spoken = "";
    // Not every model and not every turn streams: then the words come at the end.
    const said = event.type === "speak.completed" && spoken.trim() === event.text.trim();
    const text = said || (planKnown && event.type === "plan.set") ? null : lineOf(event);
    if (text !== null) line(text);
  };
  return { hear, end };
}

/** null: nothing that a person waits for. */
function lineOf(event: LiveEvent): string | null {
  switch (event.type) {
    case "speak.discarded":
      return paint("dim", `(taken back: ${oneLine(event.reason)})`);
    case "speak.completed":
      return plain(event.text);
    case "tool.started":
      return paint("cyan", `  … ${plain(event.name)}`);
    case "tool.completed":
      return receiptLine(event.receipt);
    case "plan.set":
      return indent(planLines(event.plan, null));
    case "step.advanced":
      return paint("dim", `  step ${Math.min(event.step + 1, event.steps)} of ${event.steps}`);
    default:
      return null;
  }
}

export function receiptLine({ name, success, summary, kind }: Receipt): string {
  const mark = success ? paint("green", "✓") : success === false ? paint("red", "✗") : paint("yellow", "?");
  const doubtful = kind === "intended" ? " (intended)" : "";
  return `  ${mark} ${plain(name)}${doubtful}: ${oneLine(summary, 160)}`;
}
