// What users of the package import. The only barrel: inside the project import from the file that holds a name.
export type { Hash } from "./ports/hash.ts";
export { estimateTokens } from "./prompt/estimate.ts";
export {
  buildPrompt,
  type Prompt,
  type PromptBudget,
  type PromptFacts,
  type PromptTools,
} from "./prompt/skeleton.ts";
export { canonicalJson } from "./schema/canonical-json.ts";
export { type Config, type ConfigInput, defineConfig } from "./schema/config.ts";
export type { ExecuteDecision, PlanDecision } from "./schema/decision.ts";
export { parseDecision, parsePlanDecision } from "./schema/parse-decision.ts";
export type { Problem, Result } from "./schema/problem.ts";
export { classifyCommand } from "./tools/risk/classify.ts";
export type { CommandRisk, RiskCode, RiskReason, RiskVerdict } from "./tools/risk/reasons.ts";
export { argumentsDigest, callDigest } from "./turn/digest.ts";
