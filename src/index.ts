// Exports the public API of the package. Inside the project, import a name from the file that defines it instead.
export { createGuardedFetcher, type GuardedFetcherOptions } from "./adapters/fetch-guarded/guarded-fetcher.ts";
export { createDemoModel } from "./adapters/model-demo/model-demo.ts";
export { createOpenAiModel, type OpenAiModelOptions } from "./adapters/model-openai/openai-model.ts";
export {
  createScriptedModel,
  type ScriptEntry,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./adapters/model-scripted.ts";
export { createLocalOperations, type LocalOptions } from "./adapters/operations-local/local-operations.ts";
export { createVirtualOperations, type VirtualOptions } from "./adapters/operations-virtual/virtual-operations.ts";
export { createLinearSearch } from "./adapters/search-linear/linear-search.ts";
export { createMemoryData, createMemoryStore, type MemoryData } from "./adapters/store-memory.ts";
export { createSqliteStore, type SqliteStore } from "./adapters/store-sqlite/create-store.ts";
export {
  type Client,
  createClient,
  type QueuedResponse,
  type RunResponse,
  type SendOptions,
  type TurnResponse,
} from "./client/client.ts";
export type { HookView, InboundWebhookView, ScheduleView, WebhookView } from "./client/jobs.ts";
export { defineConfig } from "./hosts/define-config.ts";
export type { EmbeddedCaller } from "./hosts/embedded-app.ts";
export {
  createFetch,
  createRuntime,
  type RuntimeOptions,
  type StartWorkerOptions,
  startWorker,
} from "./hosts/in-process.ts";
export type { Extension } from "./hosts/shared/extension.ts";
export type { Worker } from "./jobs/worker.ts";
export type { DocumentRef, DocumentStore } from "./ports/documents.ts";
export type { Hash } from "./ports/hash.ts";
export type { Model, ModelMessage, ModelReply, ModelRequest, PickModel, Purpose } from "./ports/model.ts";
export type { ThreadStore } from "./ports/thread-store.ts";
export {
  buildPrompt,
  type Prompt,
  type PromptBudget,
  type PromptFacts,
  type PromptTools,
} from "./prompt/build-prompt.ts";
export { estimateTokens } from "./prompt/estimate.ts";
export type { Config, ConfigInput } from "./schema/config.ts";
export { ExecuteDecision, PlanDecision } from "./schema/decision/decision.ts";
export { parseDecision, parsePlanDecision } from "./schema/decision/parse-decision.ts";
export type { Gate } from "./schema/gate.ts";
export type { CreateInput, TurnInput } from "./schema/input.ts";
export { canonicalJson } from "./schema/json/canonical-json.ts";
export { fail, ok, PROBLEMS, type Problem, type ProblemCode, type Result } from "./schema/problem.ts";
export type { ThreadView, TurnView } from "./schema/turn-result.ts";
export { type BuiltinParts, builtinTools, fileTools } from "./toolkits/all.ts";
export { clarify } from "./toolkits/basics/clarify.ts";
export { type JudgeSqlOptions, judgeSql, type SqlVerdict } from "./toolkits/data/sql/judge-sql.ts";
export type { SqlCode } from "./toolkits/data/sql/refusal.ts";
export { applyPatch, type Patched, type PatchOptions } from "./toolkits/files/patch/apply-patch.ts";
export { type FuzzyMatch, fuzzyFindAll } from "./toolkits/files/patch/find/fuzzy-find.ts";
export { sensitivePaths } from "./toolkits/files/sensitive-path.ts";
export { TOOLKITS } from "./toolkits/index.ts";
export { classifyCommand } from "./toolkits/shell/risk/classify.ts";
export type { CommandRisk, RiskCode, RiskReason, RiskVerdict } from "./toolkits/shell/risk/reasons.ts";
export { commandRisk } from "./toolkits/shell/risk-hooks.ts";
export { type CallLine, callLogHooks } from "./tools/call-log.ts";
export { contentVersion } from "./tools/declared/content-version.ts";
export { defineTool, type Tool, type ToolContext } from "./tools/define-tool.ts";
export type { Hook } from "./tools/hooks.ts";
export { type Outcome, type OutcomeMore, outcome } from "./tools/outcome.ts";
export { createRedactor, type Redactor, redactionHooks } from "./tools/redaction/redact.ts";
export type { RouteRequest, RouteResponse, RouteThread, ToolkitRoute } from "./tools/route.ts";
export { defineToolkit, type PartName, type Parts, type Toolkit } from "./tools/toolkit.ts";
export { type Advanced, advance } from "./turn/advance.ts";
export { move } from "./turn/commit/signal.ts";
export { argumentsDigest, callDigest } from "./turn/gates/digest.ts";
export { judge, judgePlan, type PlanRuling } from "./turn/judge/judge.ts";
export type { PreparedCall, Ruling } from "./turn/judge/ruling.ts";
export type { Runtime, RuntimeConfig, TurnRequest, TurnRequest as TurnCall } from "./turn/runtime.ts";
