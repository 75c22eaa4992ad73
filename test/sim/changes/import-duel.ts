// Races two imports of different exports of one thread against a keyed create request, all for the same id. The thread
// must show the calendar of the file that its records came from, or none if it was created. Requests crash, lose their
// responses, and are repeated until they get one; some imports are sent only once.

import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createIds } from "../../../src/adapters/ids-random.ts";
import { createMemoryStore, type MemoryData } from "../../../src/adapters/store-memory.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { EXPORT_TYPE } from "../../../src/schema/export.ts";
import type { TenantId, ThreadRef } from "../../../src/schema/ids.ts";
import { createThread } from "../../../src/threads/create.ts";
import { exportThread } from "../../../src/threads/export-thread.ts";
import { withImportedDocuments } from "../../../src/threads/imported-documents.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import { timetable } from "../../../src/toolkits/timetable/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { bodyHash, keyHash } from "../../../src/turn/commit/idempotency-keys.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { apiRequest } from "../api-request.ts";
import { tenantMarker } from "../choose-request.ts";
import type { Network } from "../network.ts";
import { faultyDocuments } from "../ports.ts";
import { bytesOf, createRandom, roll, STREAMS } from "../random.ts";
import type { ApiRequest } from "../server.ts";
import type { Process, World } from "../world.ts";

const DUEL_SHARE = 0.3;
/** The share of imports that nobody repeats. */
const ABANDONED_SHARE = 0.4;
const KEY = "duel";
/** The calendars of the two files. */
const STARTS = ["2026-09-14", "2027-03-01"] as const;
const TRIES_MAX = 8;
const ROUNDS_MAX = 12;
const RETRY_MS = 10_000;

type Parts = Pick<Runtime, "companions" | "documents">;
type Attempted = {
  readonly request: ApiRequest;
  readonly starts: string | null;
  readonly abandoned: boolean;
  code: string;
};

export type ImportDuel = {
  readonly partsOf: (process: Process, store: ThreadStore) => Parts;
  readonly prepare: (tenant: TenantId) => Promise<void>;
  readonly play: (network: Network) => Promise<unknown>;
  /** Repeats requests that have no final response. */
  readonly settle: (network: Network) => Promise<void>;
  readonly violations: (data: MemoryData) => Promise<readonly string[]>;
};

/** A timetable without tools. No turn is taken in the thread, and defining tools takes longer than a history. */
const WITHOUT_TOOLS = { ...timetable, tools: () => [] };

const partsWith = (world: World, stored: DocumentStore, store: ThreadStore): Parts => {
  const parts = { clock: world.clockOf(null), documents: withImportedDocuments(stored, store) };
  return {
    documents: stored,
    companions: unwrap(plugToolkits(createToolbox([]), [WITHOUT_TOOLS], parts)).companions,
  };
};

const calendarOf = ({ tenant, thread }: ThreadRef) => ({ tenant, kind: "calendar", id: thread });

export function createImportDuel(world: World): ImportDuel | null {
  if (roll(world.seed, STREAMS.imports, 0) >= DUEL_SHARE) return null;
  const documents = createMemoryDocuments();
  const attempts: Attempted[] = [];
  let at: ThreadRef | null = null;
  return {
    partsOf: (process, store) => partsWith(world, faultyDocuments(world, process, documents), store),
    async prepare(tenant) {
      const input = { metadata: { of: `${tenantMarker(tenant)} says duel` } };
      const origin = await exportBoth(world, tenant, input);
      at = origin.at;
      const post = { person: { name: "duelist", shared: { tenant } } };
      origin.files.forEach((body, n) => {
        const request = apiRequest(post, { path: "/v1/import", type: EXPORT_TYPE, body });
        const abandoned = roll(world.seed, STREAMS.imports, 5 + n) < ABANDONED_SHARE;
        attempts.push({ request, starts: STARTS[n] ?? null, abandoned, code: "" });
      });
      const create = apiRequest(post, { path: "/v1/threads", body: JSON.stringify(input), key: KEY });
      attempts.push({ request: create, starts: null, abandoned: false, code: "" });
    },
    play: (network) => Promise.all(attempts.map((one, n) => attempt(world, network, one, n))),
    settle: (network) => settle(world, network, attempts),
    async violations(data) {
      const rows = at ? data.records.get(`${at.tenant}/${at.thread}`) : undefined;
      if (!at || !rows) return [];
      const shown = withImportedDocuments(documents, createMemoryStore(data));
      const { starts_on = null } = (unwrap(await shown.load(calendarOf(at)))?.value ?? {}) as { starts_on?: string };
      const isCreated = rows[0]?.entry.includes('"actor":"duelist"');
      const stored = attempts
        .filter(({ starts, code }) => starts !== null && code === "ok")
        .map(({ starts }) => starts);
      const allowed: readonly (string | null)[] = isCreated ? [null] : stored.length > 0 ? stored : STARTS;
      if (isCreated && stored.length > 0) return [`I24 an import of ${at.thread} was acknowledged, and it was created`];
      return allowed.includes(starts_on)
        ? []
        : [`I24 ${at.thread} shows the calendar of ${starts_on} instead of ${allowed.join(" or ")}`];
    },
  };
}

/** Creates both exports on another server, where the thread had one calendar and then another. */
async function exportBoth(world: World, tenant: TenantId, input: { readonly metadata: Record<string, unknown> }) {
  const random = createRandom(world.seed, STREAMS.imports, 1);
  const clock = world.clockOf(null);
  const documents = createMemoryDocuments();
  const store = createMemoryStore();
  const rt: Runtime = {
    ...createTestRuntime([]),
    ...partsWith(world, documents, store),
    store,
    clock,
    ids: createIds(clock, (size) => bytesOf(random, size)),
    hash: nodeHash,
  };
  const body = bodyHash(nodeHash, { route: "create", query: {}, body: input });
  const key = { name: KEY, hash: keyHash(nodeHash, KEY), body };
  const { outcome } = unwrap(await createThread(rt, { tenant, actor: "origin", input, key }));
  const at = { tenant, thread: outcome.thread.id };
  const files: string[] = [];
  for (const [version, starts_on] of STARTS.entries()) {
    unwrap(await documents.save(calendarOf(at), { ...sampleSemester(), starts_on }, version));
    files.push(unwrap(await exportThread(rt, at)));
  }
  return { at, files };
}

const isFinal = (code: string): boolean => code !== "" && code !== "store_unavailable" && code !== "turn_running";

/**
 * Sends a request like a client that knows what a problem means. The import that follows a lost one may find its own
 * thread.
 */
async function send(network: Network, one: Attempted, slot: number): Promise<void> {
  const answer = await network.sendOnce({ client: "duelist", request: one.request, tries: [] }, slot, null);
  if (answer && one.code !== "ok") one.code = answer.code;
}

async function attempt(world: World, network: Network, one: Attempted, n: number): Promise<void> {
  const random = createRandom(world.seed, STREAMS.imports, 2 + n);
  await world.wait(null, "duel", random.int(300));
  const triesMax = one.abandoned ? 1 : TRIES_MAX;
  for (let tries = 0; tries < triesMax && !isFinal(one.code); tries += 1) {
    await send(network, one, random.int(2));
    if (!isFinal(one.code)) await world.wait(null, "duel", random.int(3_000));
  }
}

async function settle(world: World, network: Network, attempts: readonly Attempted[]): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const open = attempts.filter(({ code, abandoned }) => !isFinal(code) && !abandoned);
    for (const one of open) await send(network, one, 0);
    if (open.every(({ code }) => isFinal(code))) return;
    await world.wait(null, "duel", RETRY_MS);
  }
}
