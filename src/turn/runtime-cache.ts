// Results that this process has computed before. They depend only on their input, so losing them costs only time.
import { createParsedRowCache, type ParsedRowCache } from "../migrate/parsed-row-cache.ts";
import { createSystemPromptCache, type SystemPromptCache } from "../prompt/system-prompt-cache.ts";

export type RuntimeCache = { readonly rows: ParsedRowCache; readonly system_prompts: SystemPromptCache };

export const createRuntimeCache = (): RuntimeCache => ({
  rows: createParsedRowCache(),
  system_prompts: createSystemPromptCache(),
});
