// Caches which tools a thread sees, because most turns resolve the same tools as the turn before.
import type { Manifest } from "../schema/manifest.ts";
import type { Settings } from "../schema/settings.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ResolvedTools } from "../tools/resolve.ts";

/** The maximum number of cached selections (agent, overrides, channel and so on). A full cache is cleared. */
const SELECTIONS_MAX = 64;

/** Sources are compared by identity, because they are never modified, only replaced. */
export type ToolSources = {
  /** The parts of the configuration that the result depends on. */
  readonly config: readonly unknown[];
  readonly manifests: readonly Manifest[];
  readonly declared: readonly Tool[];
};

export type ResolvedToolsCache = {
  /**
   * Returns the cached tools or resolves them. `selection` is everything else that the result depends on. Only results for frozen settings are
   * cached, because others may be modified in place.
   */
  readonly get: (
    settings: Settings,
    sources: ToolSources,
    selection: readonly unknown[],
    resolve: () => ResolvedTools,
  ) => ResolvedTools;
};

type Cached = ToolSources & { readonly resolved: ResolvedTools };

export function createResolvedToolsCache(): ResolvedToolsCache {
  const bySettings = new WeakMap<Settings, Map<string, Cached>>();
  return {
    get(settings, { config, manifests, declared }, selection, resolve) {
      if (!Object.isFrozen(settings)) return resolve();
      const cached = bySettings.get(settings) ?? new Map<string, Cached>();
      const key = JSON.stringify(selection);
      const known = cached.get(key);
      if (known?.manifests === manifests && isSameList(known.config, config) && isSameList(known.declared, declared))
        return known.resolved;
      const resolved = resolve();
      if (cached.size >= SELECTIONS_MAX) cached.clear();
      cached.set(key, { config, manifests, declared, resolved: freeze(resolved) });
      bySettings.set(settings, cached);
      return resolved;
    },
  };
}

/** Compares the elements, because the lists are often new: threads without declared tools have a new empty one each time. */
const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

function freeze(resolved: ResolvedTools): ResolvedTools {
  Object.freeze(resolved.tools);
  Object.freeze(resolved.disabled);
  return Object.freeze(resolved);
}
