// Tests that times stored by a clock that was ahead do not block anybody, and are not accepted for years once the clock
// is correct.
import { describe, expect, test } from "vitest";
import { createTickets } from "../../src/http/edge/tickets.ts";
import { createDuePoller } from "../../src/jobs/due-poller.ts";
import { createDirectLink, verifyLink } from "../../src/jobs/webhooks/confirm-links.ts";
import { createSigningSecret, rotateSecrets, validSecrets } from "../../src/jobs/webhooks/secrets.ts";
import type { Delivery } from "../../src/ports/thread-store.ts";
import { type Gate, isLeased } from "../../src/schema/gate.ts";
import { LOCAL_TENANT, type TenantId, ThreadId } from "../../src/schema/ids.ts";
import { hasPassed } from "../../src/schema/jobs/time-limit.ts";
import { ok } from "../../src/schema/problem.ts";
import { createDesktopQueue } from "../../src/toolkits/channels/desktop-queue.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { createTestRuntime, unwrap } from "../support/runtime.ts";

const YEAR_MS = 365 * 86_400_000;
const MINUTE_MS = 60_000;
const gate = (lease: object | null) => ({ kind: "external", lease }) as unknown as Gate;
const leaseFrom = (now: number) => ({ id: "l", actor: "a", until: new Date(now + 3_600_000).toISOString() });

describe("when the clock was a year ahead for a moment,", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const ahead = now + YEAR_MS;

  test("the lease of an external call does not hold, and a lease of the right clock does", () => {
    expect(isLeased(gate(leaseFrom(ahead)), now)).toBe(false);
    expect(isLeased(gate(leaseFrom(now)), now)).toBe(true);
    expect(isLeased(gate(leaseFrom(now)), now - MINUTE_MS)).toBe(true);
  });

  test("another worker gets a desktop task that was claimed then", async () => {
    const queue = createDesktopQueue(createMemoryDocuments());
    const task = { id: "e1", app: "weixin", channel: "c", to: null, text: "hi", agent: "a", thread: "t" };
    unwrap(await queue.add(LOCAL_TENANT, { ...task, created_at: new Date(now).toISOString() }));
    const claim = (worker: string, at: number) =>
      queue.claim(LOCAL_TENANT, { app: "weixin", worker, lease_ms: 600_000, now: at });
    expect(unwrap(await claim("one", ahead))?.worker).toBe("one");
    expect(unwrap(await claim("two", now))?.worker).toBe("two");
    expect(unwrap(await claim("three", now))).toBeNull();
  });

  test("a rotated secret is not accepted any longer", () => {
    const rt = createTestRuntime([]);
    const [old, fresh] = [createSigningSecret(rt), createSigningSecret(rt)];
    expect(validSecrets(rotateSecrets([old], fresh, now, 604_800), now)).toHaveLength(2);
    expect(validSecrets(rotateSecrets([old], fresh, ahead, 604_800), now)).toEqual([fresh]);
  });

  test("a confirmation link that was made then is not valid", () => {
    const key = { secret: "s".repeat(64), base: "" };
    const at = { tenant: LOCAL_TENANT, thread: ThreadId.parse(createTestRuntime([]).ids.make("thr")) };
    const id = createTestRuntime([]).ids.make("gat");
    const open = { kind: "confirmation", id, digest: "d", expires_at: null } as unknown as Gate;
    const tokenOf = (made: number) =>
      createDirectLink(key, at, open, { caller: { name: "k" }, now: made })
        ?.url.split("/")
        .at(-1) ?? "";
    expect(verifyLink(key, tokenOf(now), now).ok).toBe(true);
    expect(verifyLink(key, tokenOf(ahead), now).ok).toBe(false);
  });

  test("what is repeated is due at once, and not after that year", () => {
    expect(hasPassed(ahead, MINUTE_MS, now)).toBe(true);
    expect([MINUTE_MS, MINUTE_MS - 1, -MINUTE_MS].map((age) => hasPassed(now - age, MINUTE_MS, now))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("tenants behind a full page of others are found", async () => {
    const rt = createTestRuntime([]);
    const rowsOf = (tenant: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `d${n}`, tenant, thread: "t", due_at: 0, attempts: 0, body: "" }));
    let waiting = [...rowsOf("busy", 2_000)];
    const dueDeliveries = async (_: number, limit: number) => ok(waiting.slice(0, limit) as unknown as Delivery[]);
    const poller = createDuePoller({ ...rt, store: { ...rt.store, dueDeliveries } });
    rt.clock.advance(YEAR_MS);
    await poller.poll();
    rt.clock.advance(-YEAR_MS);
    waiting = [...rowsOf("busy", 600), ...rowsOf("quiet", 1)];
    expect((await poller.poll()).some(({ tenant }) => tenant === ("quiet" as TenantId))).toBe(true);
  });

  test("a ticket that was issued then is not valid", () => {
    let time = ahead;
    const { ids, hash } = createTestRuntime([]);
    const tickets = createTickets({ ids, hash, clock: { now: () => time } as never });
    const caller = { tenant: LOCAL_TENANT, name: "k", scopes: new Set(["read" as const]) };
    const { ticket } = tickets.issue(caller);
    time = now;
    expect(tickets.redeem(ticket).ok).toBe(false);
    expect(tickets.redeem(tickets.issue(caller).ticket).ok).toBe(true);
  });
});
