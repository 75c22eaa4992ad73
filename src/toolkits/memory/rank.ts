// Ranks memories by a query with BM25. The same memories and the same query always give the same order.
import MiniSearch from "minisearch";
import { byAge, type Memory } from "./memory.ts";

/** Indexes are cached because building one for 10,000 memories takes about 0.3 seconds. */
const CACHED_MEMORIES_MAX = 20_000;
/** The number of decimal places of a score. Scores are rounded because floating-point sums vary with the order in which memories were indexed. */
const SCORE_DIGITS = 6;

type Entry = { readonly id: string; readonly name: string; readonly text: string };
type Index = { readonly search: MiniSearch<Entry>; readonly entries: Map<string, Entry> };

export type Rank = (owner: string, memories: readonly Memory[], query: string) => readonly Memory[];

export function createRank(): Rank {
  const indexes = new Map<string, Index>();
  return (owner, memories, query) => {
    const index = indexes.get(owner) ?? createIndex();
    indexes.delete(owner);
    indexes.set(owner, index);
    update(index, memories);
    evictOldest(indexes);
    const byName = new Map(memories.map((memory) => [memory.name, memory]));
    return index.search
      .search(query, { boost: { name: 2 } })
      .map(({ id, score }) => ({ memory: byName.get(id), score: Number(score.toFixed(SCORE_DIGITS)) }))
      .flatMap(({ memory, score }) => (memory ? [{ memory, score }] : []))
      .sort((a, b) => b.score - a.score || byAge(a.memory, b.memory))
      .map(({ memory }) => memory);
  };
}

const createIndex = (): Index => ({
  search: new MiniSearch<Entry>({ fields: ["name", "text"], tokenize, autoVacuum: false }),
  entries: new Map(),
});

/** Applies the changes since the last query. */
function update({ search, entries }: Index, memories: readonly Memory[]): void {
  const current = new Map(memories.map(({ name, text }) => [name, { id: name, name, text }]));
  for (const [id, entry] of entries) {
    if (current.get(id)?.text === entry.text) continue;
    search.remove(entry);
    entries.delete(id);
  }
  for (const [id, entry] of current) {
    if (entries.has(id)) continue;
    search.add(entry);
    entries.set(id, entry);
  }
}

function evictOldest(indexes: Map<string, Index>): void {
  let total = [...indexes.values()].reduce((sum, { entries }) => sum + entries.size, 0);
  for (const [owner, { entries }] of indexes) {
    if (total <= CACHED_MEMORIES_MAX || indexes.size === 1) return;
    indexes.delete(owner);
    total -= entries.size;
  }
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits text into words or, in scripts without spaces between words, into pairs of letters. */
export function tokenize(text: string): string[] {
  return (text.normalize("NFKC").match(WORDS) ?? []).flatMap((word) => {
    if (!UNSPACED.test(word)) return [word];
    const letters = [...word];
    return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  });
}
