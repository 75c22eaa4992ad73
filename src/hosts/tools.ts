// The tools a host brings along. Which of them a thread sees is for the resolver to say.
import { ok, type Result } from "../schema/problem.ts";
import { clarify } from "../tools/builtin/clarify.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { Hook } from "../tools/hooks.ts";
import type { LoadedConfig } from "./config.ts";

export type Bundle = {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  readonly close: () => Promise<void>;
};

export async function bundledTools(_config: LoadedConfig): Promise<Result<Bundle>> {
  return ok({ tools: [clarify], hooks: [], close: async () => undefined });
}
