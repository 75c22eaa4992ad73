// Simulates the external network: endpoints that respond, fail, are slow, lose their response, process a request twice
// or late, or are down.
import { createHmac } from "node:crypto";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { validSecrets } from "../../../src/jobs/webhooks/secrets.ts";
import type { AddressGuard, FetchedPage, Fetcher, FetchRequest } from "../../../src/ports/fetcher.ts";

import { fail, ok, type Result } from "../../../src/schema/problem.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { deliveryId } from "../../../src/turn/commit/webhook-deliveries.ts";
import { type ChangesState, webhookAt } from "../changes/changes-state.ts";
import { crashHere, drawDelay } from "../ports.ts";
import { parseStored } from "../shared-cache.ts";
import type { Process, World } from "../world.ts";
import type { Endpoint, JobsState } from "./jobs-state.ts";

const FAULTS = { refuses: 3, error: 3, busy: 1, slow: 2, lose: 4, late: 2, twice: 3, crash_before: 2, crash_after: 4 };
const decoder = new TextDecoder();

export const allowAllGuard: AddressGuard = { check: async () => ok(undefined) };

export function simFetcher(
  world: World,
  process: Process,
  data: MemoryData,
  jobs: JobsState,
  changes: ChangesState | null,
): Fetcher {
  const accept = (endpoint: Endpoint, request: FetchRequest): Result<FetchedPage> => {
    const webhook = changes && webhookAt(changes, endpoint.url);
    jobs.posts.push(toPost(recordsIn(world, data, changes), webhook ? { ...endpoint, webhook } : endpoint, request));
    changes?.arrivals.push({ url: endpoint.url, time: world.time() });
    world.trace.note(`@ ${endpoint.url} ${request.headers?.["webhook-id"]}`);
    return httpResponse(200);
  };
  return {
    async fetch(request, options) {
      const endpoint = jobs.endpoints.find(({ url }) => url === request.url);
      if (!endpoint) throw new Error(`no subscription for ${request.url}`);
      await world.wait(process, "http", drawDelay(world, "http"));
      if (world.time() < endpoint.down_until) return fetchFailure("connect");
      if (world.time() >= (endpoint.gone_from ?? Number.POSITIVE_INFINITY)) {
        const sent = JSON.parse(decoder.decode(request.body)) as { data: { thread: string } };
        changes?.goneResponses.push({ url: endpoint.url, time: world.time(), thread: sent.data.thread });
        return httpResponse(410);
      }
      switch (world.fault("http", FAULTS, 3)) {
        case "refuses":
          return fetchFailure("connect");
        case "error":
          return httpResponse(500);
        case "busy":
          return httpResponse(429, { "retry-after": "30" });
        case "slow":
          accept(endpoint, request);
          await world.wait(process, "slow http", options?.total_ms ?? 0);
          return fetchFailure("time");
        case "lose":
          accept(endpoint, request);
          return fetchFailure("cut");
        case "late":
          void world.wait(null, "late http", 40_000).then(() => accept(endpoint, request));
          return fetchFailure("time");
        case "twice":
          accept(endpoint, request);
          return accept(endpoint, request);
        case "crash_before":
          return crashHere(world, process);
        case "crash_after":
          accept(endpoint, request);
          return crashHere(world, process);
        default:
          return accept(endpoint, request);
      }
    },
  };
}

const fetchFailure = (reason: string) => fail("fetch_failed", "It did not work.", { reason });

const httpResponse = (status: number, headers: Record<string, string> = {}): Result<FetchedPage> =>
  ok({
    url: "",
    redirects: [],
    status,
    headers,
    content_type: null,
    body: new Uint8Array(),
    truncated: false,
  });

/**
 * Returns every record that was ever committed at that position, because a webhook in flight arrives even if its thread
 * is removed.
 */
type Records = (tenant: string, thread: string, version: number) => readonly Result<ThreadRecord>[];
const recordsIn =
  (world: World, data: MemoryData, changes: ChangesState | null): Records =>
  (tenant, thread, version) =>
    [
      data.records.get(`${tenant}/${thread}`) ?? [],
      ...(changes?.removed ?? [])
        .filter(({ at }) => at.tenant === tenant && at.thread === thread)
        .map(({ rows }) => rows),
    ]
      .flatMap((rows) => rows[version] ?? [])
      .map((row) => parseStored(world, thread, row));

function toPost(
  recordsOf: Records,
  { url, tenant, webhook }: Endpoint,
  request: FetchRequest,
): JobsState["posts"][number] {
  const body = decoder.decode(request.body);
  const id = request.headers?.["webhook-id"] ?? "";
  return { url, tenant, id, body, violation: postViolation(recordsOf, { url, tenant, webhook }, request, id, body) };
}

/** Verifies a signature without the library that made it. */
function isSigned(
  { secrets }: Endpoint["webhook"],
  headers: NonNullable<FetchRequest["headers"]>,
  id: string,
  body: string,
): boolean {
  const timestamp = headers["webhook-timestamp"] ?? "";
  const signatures = (headers["webhook-signature"] ?? "").split(" ");
  return validSecrets(secrets, Number(timestamp) * 1000).some(({ secret }) => {
    const hmac = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"));
    return signatures.includes(`v1,${hmac.update(`${id}.${timestamp}.${body}`).digest("base64")}`);
  });
}

type WebhookBody = { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };

/** Checks on arrival that the reported event is already committed. */
function postViolation(
  recordsOf: Records,
  { tenant, webhook }: Pick<Endpoint, "url" | "tenant" | "webhook">,
  { headers = {} }: FetchRequest,
  id: string,
  body: string,
): string | null {
  if (!isSigned(webhook, headers, id, body)) return "the signature does not match";
  const { type, timestamp: at, data: event } = JSON.parse(body) as WebhookBody;
  const { links: _, ...rest } = event;
  const { thread, version, seq } = rest as { thread: string; version: number; seq: number };
  if (!webhook.events.some((one) => one === type)) return `there is no subscription for ${type}`;
  const records = recordsOf(tenant, thread, version).filter(
    (one) =>
      one.ok && id === deliveryId(nodeHash, { webhook: webhook.id, thread, seq, commit: one.value.entry.commit_id }),
  );
  if (!records.some(({ ok }) => ok))
    return `record ${version} of ${thread} is not committed, or ${id} is not the id of event ${seq}`;
  const received = JSON.stringify({ ...eventHeader(rest, at), ...eventBody(rest, type) });
  const committed = records.flatMap((record) => (record.ok ? eventsOf(thread, record.value) : []));
  return committed.some((event) => event.seq === seq && JSON.stringify(event) === received)
    ? null
    : `event ${seq} of ${thread} differs from the committed one`;
}

/** Returns the header fields of an event in the order in which they are serialized. */
const eventHeader = ({ seq, thread, version, turn }: Record<string, unknown>, at: string) => ({
  seq,
  thread,
  version,
  turn,
  at,
});
const eventBody = (
  { seq: _, thread: __, version: ___, turn: ____, ...more }: Record<string, unknown>,
  type: string,
) => ({
  type,
  ...more,
});
