// `pawl run`, `pawl pause`, `pawl resume`: whether workers advance a thread. They do so where a server runs.
import { connected, type Where } from "./connect.ts";
import { DONE, type ExitCode, PROBLEM, plain, say, sayJson, tellProblem } from "./screen.ts";

export const switchRun = (
  verb: "run" | "pause" | "resume",
  thread: string,
  options: Where & { readonly json?: boolean },
): Promise<ExitCode> =>
  connected(options, async ({ client }) => {
    const switched = await client[verb](encodeURIComponent(thread));
    if (!switched.ok) {
      tellProblem(switched.problem);
      return PROBLEM;
    }
    const { id, background } = switched.value.thread;
    if (options.json) sayJson(switched.value);
    else say(`${id} in the background: ${plain(background?.status ?? "no")}`);
    return DONE;
  });
