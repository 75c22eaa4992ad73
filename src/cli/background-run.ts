// `pawl run`, `pawl pause`, `pawl resume`: whether workers advance a thread. They do so where a server runs.
import { type ServerOptions, withConnection } from "./connect.ts";
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
    else printLine(`${id} in the background: ${escapeControl(background?.status ?? "no")}`);
    return EXIT_OK;
  });
