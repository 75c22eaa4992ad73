// Provides a runtime with the toolkit crew, and models that are scripted by the task of their thread.

import { createCrew } from "../../src/jobs/crew/create-crew.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { LOCAL_TENANT, type ThreadId } from "../../src/schema/ids.ts";
import { crew } from "../../src/toolkits/crew/toolkit.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { loadThread } from "../../src/turn/load.ts";
import { DEFAULT_CONFIG, type Runtime } from "../../src/turn/runtime.ts";
import { createTestRuntime, unwrap } from "./runtime.ts";

type Reply = string | Record<string, unknown>;
/** Returns a reply by the goal of the thread and the number of its observations. */
export type Play = (goal: string, observations: number, request: ModelRequest) => Reply;

export const DONE = { action: "done", goal_check: "It is done.", speak: "Done." };
export const call = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: "Working.",
  tool_call: { name, arguments: args },
});

export function createCrewRuntime(
  play: Play,
  { workers = false, tools = [] as readonly Tool[], change = {} as Partial<Runtime> } = {},
) {
  const reply = (request: ModelRequest): Reply => {
    const [, dialogue = "", record = ""] = request.messages.map(({ content }) => content);
    const goal = /Goal of this run: (.*)/.exec(dialogue)?.[1] ?? "";
    const seen = record.match(/^<observation /gm)?.length ?? 0;
    return request.purpose === "deliver" ? `Delivered: ${goal}` : play(goal, seen, request);
  };
  const script = (function* () {
    for (;;) yield { reply };
  })();
  const config = { ...DEFAULT_CONFIG, parts: ["crew"] };
  const rt = createTestRuntime(script, tools, {
    config,
    ...(workers ? {} : { worker: { running: false } }),
    ...change,
  });
  unwrap(
    rt.toolbox.plug({
      name: "crew",
      offered: "always",
      tools: crew.tools({ clock: rt.clock, crew: createCrew(rt) } as never),
    }),
  );
  return rt;
}

export const stateOf = async (rt: Runtime, thread: ThreadId) =>
  unwrap(await loadThread(rt, { tenant: LOCAL_TENANT, thread })).state;
