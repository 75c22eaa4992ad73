// Stores the memories of an agent in pages, because a single document would exceed the limits of some stores.
import * as z from "zod";
import type { DocumentRef, DocumentStore } from "../../ports/documents.ts";
import { retryConflict } from "../../ports/retry.ts";
import { exceedsBytes } from "../../schema/byte-length.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { readableItems } from "../change-document.ts";
import { MEMORIES_MAX, Memory, type MemoryOwner, PREVIOUS_MAX } from "./memory.ts";

/** The limit is far below the smallest limit of a store, 390 KB, because saving a memory again can make it longer. */
const PAGE_BYTES_MAX = 200_000;
const Page = z.object({ memories: z.array(z.unknown()) });

type LoadedPage = {
  readonly number: number;
  readonly version: number;
  readonly memories: readonly Memory[];
  readonly unread: readonly unknown[];
};
export type SaveInput = Pick<Memory, "name" | "text" | "trust" | "thread" | "saved_at" | "effect">;

export type MemoryStore = {
  /** Returns all memories in no particular order, each name once. */
  readonly list: (owner: MemoryOwner) => Promise<Result<readonly Memory[]>>;
  /** Saves a new memory, or the next version of an existing one. A resent call changes nothing. */
  readonly save: (owner: MemoryOwner, input: SaveInput) => Promise<Result<Memory>>;
  /** Returns false if there is no memory with this name. */
  readonly remove: (owner: MemoryOwner, name: string) => Promise<Result<boolean>>;
  readonly clear: (owner: MemoryOwner) => Promise<Result<void>>;
};

export function createMemoryStore(documents: DocumentStore): MemoryStore {
  const load = (owner: MemoryOwner) => loadPages(documents, owner);
  const savePage = async (owner: MemoryOwner, page: LoadedPage): Promise<Result<void>> => {
    const memories = [...page.memories, ...page.unread];
    const saved = await documents.save(pageOf(owner, page.number), { memories }, page.version);
    if (!saved.ok) return saved;
    return saved.value.saved ? ok(undefined) : fail("document_moved", "Another memory was saved at the same time.");
  };
  const removeFrom = async (owner: MemoryOwner, page: LoadedPage, name: string): Promise<Result<void>> =>
    savePage(owner, { ...page, memories: page.memories.filter((memory) => memory.name !== name) });
  return {
    async list(owner) {
      const pages = await load(owner);
      return pages.ok ? ok(newestOf(pages.value.flatMap(({ memories }) => memories))) : pages;
    },
    save: (owner, input) =>
      retryConflict("document_moved", async () => {
        const loaded = await load(owner);
        if (!loaded.ok) return loaded;
        const placed = placeMemory(loaded.value, input);
        if (!placed.ok) return placed;
        const { memory, page, moved_from } = placed.value;
        const saved = page ? await savePage(owner, page) : ok(undefined);
        if (!saved.ok) return saved;
        // After a crash between the two writes, the newer version counts.
        const removed = moved_from ? await removeFrom(owner, moved_from, memory.name) : ok(undefined);
        return removed.ok ? ok(memory) : removed;
      }),
    remove: (owner, name) =>
      retryConflict("document_moved", async () => {
        const loaded = await load(owner);
        if (!loaded.ok) return loaded;
        const holding = loaded.value.filter(({ memories }) => memories.some((memory) => memory.name === name));
        for (const page of holding) {
          const removed = await removeFrom(owner, page, name);
          if (!removed.ok) return removed;
        }
        return ok(holding.length > 0);
      }),
    async clear(owner) {
      const loaded = await load(owner);
      if (!loaded.ok) return loaded;
      // Pages are found by counting up, so removing the last one first hides none of the remaining ones.
      for (const { number } of loaded.value.toReversed()) {
        const removed = await documents.remove(pageOf(owner, number));
        if (!removed.ok) return removed;
      }
      return ok(undefined);
    },
  };
}

const pageOf = ({ tenant, agent }: MemoryOwner, number: number): DocumentRef => ({
  tenant,
  kind: "memory",
  id: `${number}/${agent}`,
});

/** Loads pages in growing batches until one is missing. A few memories need few requests, and many need few round trips. */
async function loadPages(documents: DocumentStore, owner: MemoryOwner): Promise<Result<readonly LoadedPage[]>> {
  const pages: LoadedPage[] = [];
  for (let batch = 1; ; batch *= 2) {
    const numbers = Array.from({ length: batch }, (_, index) => pages.length + index);
    const loaded = await Promise.all(numbers.map((number) => documents.load(pageOf(owner, number))));
    for (const [index, result] of loaded.entries()) {
      if (!result.ok) return result;
      if (result.value === null) return ok(pages);
      const page = Page.safeParse(result.value.value);
      if (!page.success) return fail("state_corrupt", "The stored memories cannot be read.");
      const { items: memories, unread } = readableItems(Memory, page.data.memories);
      pages.push({ number: numbers[index] ?? 0, version: result.value.version, memories, unread });
    }
  }
}

/** A memory is stored twice if the process ended while moving it to another page. The newer version counts. */
function newestOf(memories: readonly Memory[]): readonly Memory[] {
  const newest = new Map<string, Memory>();
  for (const memory of memories) {
    if ((newest.get(memory.name)?.version ?? 0) < memory.version) newest.set(memory.name, memory);
  }
  return [...newest.values()];
}

type Placed = {
  readonly memory: Memory;
  /** The page to save, or null if nothing has to be saved. */
  readonly page: LoadedPage | null;
  readonly moved_from: LoadedPage | null;
};

function placeMemory(pages: readonly LoadedPage[], input: SaveInput): Result<Placed> {
  const all = newestOf(pages.flatMap(({ memories }) => memories));
  const current = all.find(({ name }) => name === input.name);
  if (current && [current, ...current.previous].some(({ effect }) => effect === input.effect))
    return ok({ memory: current, page: null, moved_from: null });
  if (!current && all.length >= MEMORIES_MAX)
    return fail("tool_refused", `There are ${MEMORIES_MAX} memories already. Save it under the name of an old one.`);
  const memory = nextVersion(current, input);
  const home = current && pages.find(({ memories }) => memories.includes(current));
  const replaced = home && withMemory(home, memory);
  if (replaced && hasRoom(replaced)) return ok({ memory, page: replaced, moved_from: null });
  const last = pages.at(-1) ?? { number: 0, version: 0, memories: [], unread: [] };
  const appended = withMemory(last, memory);
  const target = hasRoom(appended) ? appended : { number: last.number + 1, version: 0, memories: [memory], unread: [] };
  return ok({ memory, page: target, moved_from: home && home.number !== target.number ? home : null });
}

function nextVersion(current: Memory | undefined, { name, ...version }: SaveInput): Memory {
  if (!current) return { name, ...version, version: 1, previous: [] };
  const { name: _, previous, ...last } = current;
  return { name, ...version, version: last.version + 1, previous: [last, ...previous].slice(0, PREVIOUS_MAX) };
}

const withMemory = (page: LoadedPage, memory: Memory): LoadedPage => ({
  ...page,
  memories: [...page.memories.filter(({ name }) => name !== memory.name), memory],
});

const hasRoom = ({ memories }: LoadedPage): boolean => !exceedsBytes(JSON.stringify(memories), PAGE_BYTES_MAX);
