// `pawl threads`: what there is, newest first.
import { connected, type Where } from "./connect.ts";
import { DONE, type ExitCode, oneLine, PROBLEM, paint, say, sayJson, tellProblem } from "./screen.ts";

export type ThreadsOptions = Where & { readonly state?: string; readonly limit?: number; readonly json?: boolean };

export const listThreads = (options: ThreadsOptions): Promise<ExitCode> =>
  connected(options, async ({ client }) => {
    const { state, limit = 50 } = options;
    const page = await client.list({ ...(state ? { state } : {}), limit });
    if (!page.ok) {
      tellProblem(page.problem);
      return PROBLEM;
    }
    const { threads, cursor } = page.value;
    if (options.json) {
      sayJson(page.value);
      return DONE;
    }
    for (const { id, state: at, outcome, gate, goal, background } of threads) {
      const given_up = background === "dead" ? paint("red", " given up: pawl run revives it") : "";
      const waits = gate ? paint("yellow", ` waits: ${gate.kind}`) : given_up;
      say(`${id}  ${(outcome ?? at).padEnd(9)}  ${oneLine(goal, 60) || "(no goal yet)"}${waits}`);
    }
    if (threads.length === 0) say("There is no thread. `pawl chat` begins one.");
    if (cursor) say(paint("dim", "There are older ones: --limit shows up to 200."));
    return DONE;
  });
