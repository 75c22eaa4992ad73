// Holds what outlives the processes of a toolkit history: the documents with the order in which they were saved, and
// the messages that desktop workers really typed.

import type { DocumentRef, DocumentStore } from "../../../src/ports/documents.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createDesktopQueue, type DesktopTask } from "../../../src/toolkits/channels/desktop-queue.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createRandom } from "../random.ts";
import type { World } from "../world.ts";

export type SavedDocument = { readonly at: DocumentRef; readonly version: number; readonly value: unknown };
export type Outside = {
  readonly documents: DocumentStore;
  readonly saves: readonly SavedDocument[];
  readonly typed: readonly Pick<DesktopTask, "id" | "text" | "to">[];
  /** Lets two desktop workers look for messages for this many rounds. */
  readonly runDesktopWorkers: (rounds: number) => Promise<unknown>;
};

export const DESKTOP_APP = "weixin";
const LEASE_MS = 3_000;

export function createOutside(world: World, sabotage: (documents: DocumentStore) => DocumentStore): Outside {
  const saves: SavedDocument[] = [];
  const typed: Pick<DesktopTask, "id" | "text" | "to">[] = [];
  const inner = createMemoryDocuments();
  const documents: DocumentStore = sabotage({
    ...inner,
    save: async (at, value, over) => {
      const saved = await inner.save(at, value, over);
      if (saved.ok && saved.value.saved)
        saves.push({ at, version: saved.value.version, value: structuredClone(value) });
      return saved;
    },
  });
  const queue = createDesktopQueue(documents);
  let looks = 0;

  /**
   * Lets a worker process a message. It may stop after its claim, before it types, or before it reports what it typed.
   */
  async function look(worker: string): Promise<void> {
    const random = createRandom(world.seed, 60, looks++);
    const now = world.now();
    const claimed = await queue.claim(LOCAL_TENANT, { app: DESKTOP_APP, worker, lease_ms: LEASE_MS, now });
    if (!claimed.ok || !claimed.value || random.chance(0.2)) return;
    const { id, text, to } = claimed.value;
    const report = (state: "started" | "done" | "failed", reason: string | null = null) =>
      queue.report(LOCAL_TENANT, { id, app: DESKTOP_APP, worker, state, reason });
    await world.wait(null, "desktop", random.chance(0.2) ? 2 * LEASE_MS : 100);
    if (random.chance(0.1)) return void (await report("failed", "window_not_found"));
    if (!(await report("started")).ok || random.chance(0.1)) return;
    await world.wait(null, "typing", 100);
    typed.push({ id, text, to });
    world.trace.note(`* typed ${id}`);
    if (!random.chance(0.15)) await report("done");
  }

  async function runWorker(name: string, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await world.wait(null, "desktop idle", 900);
      await look(`${name}-${round}`);
    }
  }
  return {
    documents,
    saves,
    typed,
    runDesktopWorkers: (rounds) => Promise.all([runWorker("w1", rounds), runWorker("w2", rounds)]),
  };
}
