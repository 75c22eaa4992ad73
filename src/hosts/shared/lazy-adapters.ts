// Loads large adapters only when a tool first uses them, because they are rarely needed right after startup.
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { SearchEngine } from "../../ports/file-tree.ts";
import type { SearchOperations } from "../../ports/operations.ts";

function memoizeLoad<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load();
    return loading;
  };
}

export const lazySearch: SearchEngine = (tree) => {
  const load = memoizeLoad(async (): Promise<SearchOperations> => {
    const { createLinearSearch } = await import("../../adapters/search-linear/linear-search.ts");
    return createLinearSearch()(tree);
  });
  return {
    find: async (query) => (await load()).find(query),
    grep: async (query) => (await load()).grep(query),
  };
};

export function lazyFetcher(allow: readonly string[]): Fetcher & AddressGuard {
  const load = memoizeLoad(async () => {
    const { createGuardedFetcher } = await import("../../adapters/fetch-guarded/guarded-fetcher.ts");
    return createGuardedFetcher({ allow });
  });
  return {
    fetch: async (request, options) => (await load()).fetch(request, options),
    check: async (url) => (await load()).check(url),
  };
}
