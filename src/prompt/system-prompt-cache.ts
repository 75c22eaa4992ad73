// Caches message [0] with its hash, so that it is rendered only once for the same tools, mode and instructions.
import type { Hash } from "../ports/hash.ts";
import type { Manifest } from "../schema/manifest.ts";
import type { Mode } from "../schema/thread.ts";
import { buildSystemPrompt, type SystemPrompt } from "./system-prompt.ts";

/** Maximum number of combinations of agents, modes and disabled tools. Beyond it, the least recently used ones are evicted. */
const CACHED_PROMPTS_MAX = 32;

export type SystemPromptCache = {
  /** Tools are compared by identity, because a manifest is never modified, only replaced. */
  readonly build: (hash: Hash, tools: readonly Manifest[], mode: Mode, instructions: string | null) => SystemPrompt;
};

type CachedPrompt = {
  readonly tools: readonly Manifest[];
  readonly mode: Mode;
  readonly instructions: string | null;
  readonly system: SystemPrompt;
};

export function createSystemPromptCache(max = CACHED_PROMPTS_MAX): SystemPromptCache {
  /** Most recently used last. */
  const cached: CachedPrompt[] = [];
  return {
    build(hash, tools, mode, instructions) {
      const at = cached.findLastIndex(
        (one) => one.mode === mode && one.instructions === instructions && sameTools(one.tools, tools),
      );
      const hit = cached[at];
      if (hit && at === cached.length - 1) return hit.system;
      if (hit) cached.splice(at, 1);
      const system = hit?.system ?? buildWithHash(hash, tools, mode, instructions);
      cached.push(hit ?? { tools, mode, instructions, system });
      if (cached.length > max) cached.shift();
      return system;
    },
  };
}

function buildWithHash(hash: Hash, tools: readonly Manifest[], mode: Mode, instructions: string | null): SystemPrompt {
  const system = buildSystemPrompt(tools, mode, instructions);
  return { ...system, hash: hash.sha256(system.text) };
}

const sameTools = (a: readonly Manifest[], b: readonly Manifest[]): boolean =>
  a.length === b.length && a.every((tool, i) => isSameTool(tool, b[i]));

/** A tool whose prompt hint was replaced is a new copy in every turn, so it is compared by name, version and hint. */
const isSameTool = (a: Manifest, b: Manifest | undefined): boolean =>
  a === b ||
  (a.prompt_hint_source === "settings" &&
    b?.prompt_hint_source === "settings" &&
    a.name === b.name &&
    a.version === b.version &&
    a.prompt_hint === b.prompt_hint);
