// Implements `pawl run`, `pawl pause` and `pawl resume` for background runs.
import { type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { type ExitCode, escapeControl, type JsonOption, printLine, printResult } from "./output.ts";

export const setBackgroundRun = (
  verb: "run" | "pause" | "resume",
  thread: string,
  options: ServerOptions & JsonOption,
): Promise<ExitCode> =>
  withConnection(options, async ({ client }) =>
    printResult(await client[verb](encodeURIComponent(thread)), options, ({ thread: { id, background } }) =>
      printLine(t().backgroundStatus(id, escapeControl(background?.status ?? t().none))),
    ),
  );
