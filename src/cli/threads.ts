// Implements `pawl threads`, which lists threads from the newest to the oldest.
import { type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { colorize, type ExitCode, type JsonOption, printLine, printResult, terminalLine } from "./output.ts";

export type ThreadsOptions = ServerOptions & JsonOption & { readonly state?: string; readonly limit?: number };

export const listThreads = (options: ThreadsOptions): Promise<ExitCode> =>
  withConnection(options, async ({ client }) => {
    const { state, limit = 50 } = options;
    const page = await client.list({ ...(state ? { state } : {}), limit });
    return printResult(page, options, ({ threads, cursor }) => {
      for (const { id, state: at, outcome, gate, goal, title, background } of threads) {
        const deadNote = background === "dead" ? colorize("red", t().abandoned) : "";
        const status = gate ? colorize("yellow", t().waits(gate.kind)) : deadNote;
        printLine(`${id}  ${(outcome ?? at).padEnd(9)}  ${terminalLine(title ?? goal, 60) || t().noGoal}${status}`);
      }
      if (threads.length === 0) printLine(t().noThreads);
      if (cursor) printLine(colorize("dim", t().moreThreads));
    });
  });
