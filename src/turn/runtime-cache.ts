// Caches results that this process has computed before. They depend only on their input, so losing them costs only time.
import { createParsedRowCache, type ParsedRowCache } from "../migrate/parsed-row-cache.ts";
import { createSystemPromptCache, type SystemPromptCache } from "../prompt/system-prompt-cache.ts";
import { createResolvedToolsCache, type ResolvedToolsCache } from "./resolved-tools-cache.ts";
import { createThreadCache, type ThreadCache } from "./thread-cache.ts";

export type RuntimeCache = {
  readonly rows: ParsedRowCache;
  /** Used instead of `rows` with a store that has `isNewest`. */
  readonly threads?: ThreadCache;
  readonly system_prompts: SystemPromptCache;
  readonly resolved_tools: ResolvedToolsCache;
};

export type CacheOptions = {
  /** If false, rows that this process wrote are validated like all others when they are read. Default: true. */
  readonly trust_own_rows?: boolean;
};

export const createRuntimeCache = ({ trust_own_rows }: CacheOptions = {}): RuntimeCache => ({
  rows: createParsedRowCache(undefined, trust_own_rows),
  threads: createThreadCache(trust_own_rows),
  system_prompts: createSystemPromptCache(),
  resolved_tools: createResolvedToolsCache(),
});
