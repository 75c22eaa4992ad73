// Implements `pawl run`, `pawl pause` and `pawl resume`, which control whether the job workers of a server advance a
// thread.
import { type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import { EXIT_OK, EXIT_PROBLEM, type ExitCode, escapeControl, printJson, printLine, printProblem } from "./output.ts";

export const setBackgroundRun = (
  verb: "run" | "pause" | "resume",
  thread: string,
  options: ServerOptions & { readonly json?: boolean },
): Promise<ExitCode> =>
  withConnection(options, async ({ client }) => {
    const updated = await client[verb](encodeURIComponent(thread));
    if (!updated.ok) {
      printProblem(updated.problem);
      return EXIT_PROBLEM;
    }
    const { id, background } = updated.value.thread;
    if (options.json) printJson(updated.value);
    else printLine(t().backgroundStatus(id, escapeControl(background?.status ?? t().none)));
    return EXIT_OK;
  });
