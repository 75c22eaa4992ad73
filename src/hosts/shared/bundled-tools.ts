// The tools a host brings along. Which of them a thread sees is for the resolver to say.
import type { Route } from "../../http/app.ts";
import type { Companions } from "../../ports/companions.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { builtinTools } from "../../toolkits/all.ts";
import { type CallLine, callLogHooks } from "../../tools/call-log.ts";
import type { Tool } from "../../tools/define-tool.ts";
import type { Hook } from "../../tools/hooks.ts";
import { createRedactor, redactionHooks } from "../../tools/redaction/redact.ts";
import { type Commands, openWorkspace } from "../node/workspace.ts";
import type { Environment, LoadedConfig } from "./config.ts";
import { lazyFetcher } from "./lazy-adapters.ts";
import { createSqliteScheduling } from "./sqlite-scheduling.ts";

export type BundledTools = {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  /** What this host can do beyond the core. */
  readonly parts: readonly string[];
  readonly commands: Commands | null;
  readonly companions: Companions;
  /** What the operator should know about tools that do not start. */
  readonly warnings: readonly string[];
  /** What people may see of the tools' own data. */
  readonly routes: readonly Route[];
  readonly close: () => Promise<void>;
};

export type BundledToolsOptions = {
  /** The data file, which holds the calendars too. */
  readonly file: string;
  readonly env: Environment;
  /** Values that no result may show. */
  readonly secrets: readonly string[];
  readonly onCall: (line: CallLine) => void;
};

export async function createBundledTools(
  config: LoadedConfig,
  options: BundledToolsOptions,
): Promise<Result<BundledTools>> {
  const workspace = openWorkspace(config, options.env);
  if (!workspace.ok) return workspace;
  const { operations, parts, commands, warnings } = workspace.value;
  const fetcher = lazyFetcher(config.fetch.allow);
  const scheduling = createSqliteScheduling(options.file);
  return ok({
    tools: [...builtinTools({ operations, fetcher }), ...scheduling.tools],
    // The log first, so that it hears of every call; secrets last, so that no other hook brings one back.
    hooks: [...callLogHooks(options.onCall), ...redactionHooks(createRedactor(options.secrets))],
    parts: [...parts, "fetch"],
    commands,
    companions: scheduling.companions,
    warnings,
    routes: scheduling.routes,
    close: () => scheduling.close(),
  });
}
