// The network outside: endpoints that answer, fail, are slow, lose their answer, take it twice or too late, or are away.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { verifySignature } from "../../../src/jobs/webhooks/sign.ts";
import type { AddressGuard, FetchedPage, Fetcher, FetchRequest } from "../../../src/ports/fetcher.ts";
import type { StoredRecord } from "../../../src/ports/thread-store.ts";
import { fail, ok, type Result } from "../../../src/schema/problem.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { deliveryId } from "../../../src/turn/commit/webhook-deliveries.ts";
import { type ChangesFacts, knownAt } from "../changes/facts.ts";
import { delayOf, dieHere } from "../ports.ts";
import { readStored } from "../reading.ts";
import type { Process, World } from "../world.ts";
import type { Endpoint, JobsFacts } from "./facts.ts";

const FAULTS = { refuses: 3, error: 3, busy: 1, slow: 2, lose: 4, late: 2, twice: 3, crash_before: 2, crash_after: 4 };
const decoder = new TextDecoder();

export const openGuard: AddressGuard = { check: async () => ok(undefined) };

export function simFetcher(
  world: World,
  process: Process,
  data: MemoryData,
  jobs: JobsFacts,
  changes: ChangesFacts | null,
): Fetcher {
  const take = (endpoint: Endpoint, request: FetchRequest): Result<FetchedPage> => {
    const webhook = changes && knownAt(changes, endpoint.url);
    jobs.posts.push(postOf(rowsIn(data, changes), webhook ? { ...endpoint, webhook } : endpoint, request));
    changes?.arrived.push({ url: endpoint.url, time: world.time() });
    world.trace.note(`@ ${endpoint.url} ${request.headers?.["webhook-id"]}`);
    return answered(200);
  };
  return {
    async fetch(request, options) {
      const endpoint = jobs.endpoints.find(({ url }) => url === request.url);
      if (!endpoint) throw new Error(`nobody subscribed to ${request.url}`);
      await world.wait(process, "http", delayOf(world, "http"));
      if (world.time() < endpoint.down_until) return failed("connect");
      if (world.time() >= (endpoint.gone_from ?? Number.POSITIVE_INFINITY)) {
        const told = JSON.parse(decoder.decode(request.body)) as { data: { thread: string } };
        changes?.gone.push({ url: endpoint.url, time: world.time(), thread: told.data.thread });
        return answered(410);
      }
      switch (world.fault("http", FAULTS, 3)) {
        case "refuses":
          return failed("connect");
        case "error":
          return answered(500);
        case "busy":
          return answered(429, { "retry-after": "30" });
        case "slow":
          take(endpoint, request);
          await world.wait(process, "slow http", options?.total_ms ?? 0);
          return failed("time");
        case "lose":
          take(endpoint, request);
          return failed("cut");
        case "late":
          void world.wait(null, "late http", 40_000).then(() => take(endpoint, request));
          return failed("time");
        case "twice":
          take(endpoint, request);
          return take(endpoint, request);
        case "crash_before":
          return dieHere(world, process);
        case "crash_after":
          take(endpoint, request);
          return dieHere(world, process);
        default:
          return take(endpoint, request);
      }
    },
  };
}

const failed = (reason: string) => fail("fetch_failed", "It did not work.", { reason });

const answered = (status: number, headers: Record<string, string> = {}): Result<FetchedPage> =>
  ok({
    url: "",
    redirects: [],
    status,
    headers,
    content_type: null,
    body: new Uint8Array(),
    truncated: false,
  });

/** Every row that was ever committed in that place: what is under way when its thread is removed arrives all the same. */
type Rows = (tenant: string, thread: string, version: number) => readonly StoredRecord[];
const rowsIn =
  (data: MemoryData, changes: ChangesFacts | null): Rows =>
  (tenant, thread, version) =>
    [
      data.records.get(`${tenant}/${thread}`) ?? [],
      ...(changes?.removed ?? [])
        .filter(({ at }) => at.tenant === tenant && at.thread === thread)
        .map(({ rows }) => rows),
    ].flatMap((rows) => rows[version] ?? []);

function postOf(rows: Rows, { url, tenant, webhook }: Endpoint, request: FetchRequest): JobsFacts["posts"][number] {
  const body = decoder.decode(request.body);
  const id = request.headers?.["webhook-id"] ?? "";
  return { url, tenant, id, body, flaw: flawOf(rows, { url, tenant, webhook }, request, id, body) };
}

type Told = { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };

/** Looked at in the moment it arrives: what it tells must be in the log by then. */
function flawOf(
  rows: Rows,
  { tenant, webhook }: Pick<Endpoint, "url" | "tenant" | "webhook">,
  { headers = {} }: FetchRequest,
  id: string,
  body: string,
): string | null {
  const timestamp = headers["webhook-timestamp"];
  const signed = { id, timestamp, signature: headers["webhook-signature"] };
  if (!verifySignature(webhook.secrets, signed, body, Number(timestamp) * 1000).ok) return "the signature does not fit";
  const { type, timestamp: at, data: told } = JSON.parse(body) as Told;
  const { links: _, ...rest } = told;
  const { thread, version, seq } = rest as { thread: string; version: number; seq: number };
  if (!webhook.events.some((one) => one === type)) return `nobody asked for ${type}`;
  if (id !== deliveryId(nodeHash, webhook.id, thread, seq)) return `event ${seq} of ${thread} came as ${id}`;
  const records = rows(tenant, thread, version).map((row) => readStored(thread, row));
  if (!records.some(({ ok }) => ok)) return `record ${version} of ${thread} is not committed`;
  const said = JSON.stringify({ ...placeOf(rest, at), ...bodyOf(rest, type) });
  const committed = records.flatMap((record) => (record.ok ? eventsOf(thread, record.value) : []));
  return committed.some((event) => event.seq === seq && JSON.stringify(event) === said)
    ? null
    : `event ${seq} of ${thread} is not what is committed`;
}

/** The order in which an event is written. */
const placeOf = ({ seq, thread, version, turn }: Record<string, unknown>, at: string) => ({
  seq,
  thread,
  version,
  turn,
  at,
});
const bodyOf = ({ seq: _, thread: __, version: ___, turn: ____, ...more }: Record<string, unknown>, type: string) => ({
  type,
  ...more,
});
