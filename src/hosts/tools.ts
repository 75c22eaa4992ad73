// The tools a host brings along. Which of them a thread sees is for the resolver to say.
import type { Route } from "../http/app.ts";
import type { Companions } from "../ports/companions.ts";
import { ok, type Result } from "../schema/problem.ts";
import { clarify } from "../tools/builtin/clarify.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { Hook } from "../tools/hooks.ts";
import type { LoadedConfig } from "./config.ts";
import { openScheduling } from "./scheduling.ts";

export type Bundle = {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  readonly companions: Companions;
  /** What people may see of the tools' own data. */
  readonly routes: readonly Route[];
  readonly close: () => Promise<void>;
};

/** `file`: the data file, which holds the calendars too. */
export async function bundledTools(_config: LoadedConfig, file: string): Promise<Result<Bundle>> {
  const scheduling = openScheduling(file);
  return ok({
    tools: [clarify, ...scheduling.tools],
    hooks: [],
    companions: scheduling.companions,
    routes: scheduling.routes,
    close: () => scheduling.close(),
  });
}
