// Folds the entries that leave the loaded range with the next record, for tests that build threads without committing.
import { type Folded, type FoldedDialogue, foldDialogue, foldEntry } from "../../src/prompt/fold.ts";
import { LOADED_ENTRIES, type Thread } from "../../src/schema/record.ts";

/** The folded part of the state after one more record, as a commit computes it. */
export function foldEvicted(thread: Thread): { readonly folded: Folded; readonly dialogue: FoldedDialogue } {
  let { folded, dialogue } = thread.state;
  const evicted = Math.max(0, thread.entries.length + 1 - LOADED_ENTRIES);
  for (const { entry } of thread.entries.slice(0, evicted)) {
    folded = foldEntry(folded, entry);
    dialogue = foldDialogue(dialogue, entry);
  }
  return { folded, dialogue };
}
