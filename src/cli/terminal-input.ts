// Reads lines from a terminal or a pipe. Only one question is asked at a time. The answer is null if the input has
// ended.
import { createInterface } from "node:readline";

export type TerminalInput = {
  /** Asks a question. `initial` is the text of the answer, which the user can edit first. */
  readonly ask: (question: string, initial?: string) => Promise<string | null>;
  /** Sets the handler that Ctrl-C calls while no question is being asked. */
  readonly onInterrupt: (handler: () => void) => void;
  readonly close: () => void;
};

export function createTerminalInput(): TerminalInput {
  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const reader = createInterface({ input: process.stdin, output: process.stdout, terminal: isTerminal });
  const bufferedLines: string[] = [];
  let pendingAnswer: ((line: string | null) => void) | null = null;
  let isClosed = false;
  let onSigint = (): void => undefined;
  const resolveAnswer = (line: string | null): void => {
    const waiting = pendingAnswer;
    pendingAnswer = null;
    waiting?.(line);
  };
  reader.on("line", (line) => (pendingAnswer ? resolveAnswer(line) : bufferedLines.push(line)));
  reader.on("close", () => {
    isClosed = true;
    resolveAnswer(null);
  });
  reader.on("SIGINT", () => {
    if (!pendingAnswer) return onSigint();
    process.stdout.write("\n");
    resolveAnswer(null);
  });
  return {
    ask(question, given = "") {
      // Lines that were typed before the question appeared do not answer it. Lines from a pipe always arrive early, so
      // they are kept.
      if (isTerminal) bufferedLines.length = 0;
      const buffered = bufferedLines.shift();
      // A pipe may have ended while lines are still buffered, and a closed reader cannot ask.
      if (isClosed || buffered !== undefined) {
        process.stdout.write(`${question}\n`);
        return Promise.resolve(buffered ?? null);
      }
      reader.setPrompt(question);
      reader.prompt();
      if (isTerminal && given) reader.write(given);
      return new Promise((resolve) => {
        pendingAnswer = resolve;
      });
    },
    onInterrupt: (act) => {
      onSigint = act;
    },
    close: () => reader.close(),
  };
}
