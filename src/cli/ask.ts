// Lines from whoever types, or from a pipe. One question at a time; null when there is nobody to answer.
import { createInterface } from "node:readline";

export type Asker = {
  /** `given` stands in the line already, to be changed. */
  readonly ask: (question: string, given?: string) => Promise<string | null>;
  /** What Ctrl-C means while nothing is asked. */
  readonly onInterrupt: (act: () => void) => void;
  readonly close: () => void;
};

export function createAsker(): Asker {
  const terminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const reader = createInterface({ input: process.stdin, output: process.stdout, terminal });
  const typed: string[] = [];
  let answer: ((line: string | null) => void) | null = null;
  let over = false;
  let interrupt = (): void => undefined;
  const give = (line: string | null): void => {
    const waiting = answer;
    answer = null;
    waiting?.(line);
  };
  reader.on("line", (line) => (answer ? give(line) : typed.push(line)));
  reader.on("close", () => {
    over = true;
    give(null);
  });
  reader.on("SIGINT", () => {
    if (!answer) return interrupt();
    process.stdout.write("\n");
    give(null);
  });
  return {
    ask(question, given = "") {
      // What somebody typed before the question was on the screen is no answer to it; a pipe has no screen.
      if (terminal) typed.length = 0;
      const ready = typed.shift();
      // A pipe may have ended with lines still to be used, and a reader that has ended asks nothing.
      if (over || ready !== undefined) {
        process.stdout.write(`${question}\n`);
        return Promise.resolve(ready ?? null);
      }
      reader.setPrompt(question);
      reader.prompt();
      if (terminal && given) reader.write(given);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    onInterrupt: (act) => {
      interrupt = act;
    },
    close: () => reader.close(),
  };
}
