// What this process worked out before. The same input gives the same again, so losing it costs time and nothing else.
import { createParsedRowCache, type ParsedRowCache } from "../migrate/parsed-row-cache.ts";
import { createSystemPromptCache, type SystemPromptCache } from "../prompt/system-prompt-cache.ts";

export type RuntimeCache = { readonly rows: ParsedRowCache; readonly system_prompts: SystemPromptCache };

export const createRuntimeCache = (): RuntimeCache => ({
  rows: createParsedRowCache(),
  system_prompts: createSystemPromptCache(),
});
