// Defines the memory toolkit: facts that an agent keeps across threads, in the document store of the host.
import { defineToolkit } from "../../tools/toolkit.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { Rank } from "./rank.ts";
import { memoryRoutes } from "./routes.ts";
import { memoryRecall, memorySave } from "./tools.ts";

function lazyRank(): () => Promise<Rank> {
  let ranking: Promise<Rank> | null = null;
  return () => {
    ranking ??= import("./rank.ts").then(({ createRank }) => createRank());
    return ranking;
  };
}

export const memory = defineToolkit({
  name: "memory",
  parts: ["documents"],
  offered: "on request",
  tools: ({ documents }) => {
    const store = createMemoryStore(documents);
    return [memorySave(store), memoryRecall(store, lazyRank())];
  },
  routes: ({ documents }) => memoryRoutes(createMemoryStore(documents), lazyRank()),
});
