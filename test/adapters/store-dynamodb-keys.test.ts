// Tests the keys of the table: no id can address another item, regardless of how it is written.
import { property, string, stringMatching, tuple, assert as verify } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  blobKey,
  blobPartSk,
  claimKey,
  deliverySk,
  type Key,
  META,
  metaKey,
  OUTBOX_SHARDS,
  outboxShards,
  readDeliveryKey,
  recordKey,
  recordSk,
  SECRET_KEY,
  SHARDS,
  settingsKey,
  singleUseKey,
  stateShards,
  tenantShards,
  threadPk,
} from "../../src/adapters/store-dynamodb/keys.ts";
import { TenantId, type ThreadId, type ThreadRef } from "../../src/schema/ids.ts";
import { threadId } from "../../src/testing/thread-store/fixtures.ts";

/** Builds ids that no parser would accept, because the keys must be safe without one. */
const at = (tenant: string, thread: string): ThreadRef => ({
  tenant: tenant as TenantId,
  thread: thread as ThreadId,
});
const text = ({ pk, sk }: Key): string => `${pk} ${sk}`;

describe("keys of the table", () => {
  test.each([
    ["x#META", "x"],
    ["x%23META", "x#META"],
    ["x#R#0", "x"],
    ["", "#"],
  ])("the thread %j has other keys than the thread %j", (one, other) => {
    expect(threadPk(at("acme", one))).not.toBe(threadPk(at("acme", other)));
    expect(text(metaKey(at("acme", one)))).not.toBe(text(metaKey(at("acme", other))));
  });

  test("no two pairs of tenant and thread share a key", () => {
    const id = stringMatching(/^[a#%/_-]{0,5}$/);
    verify(
      property(tuple(id, id), tuple(id, id), ([tenant, thread], [other, its]) => {
        const same = tenant === other && thread === its;
        return (threadPk(at(tenant, thread)) === threadPk(at(other, its))) === same;
      }),
    );
  });

  test("no blob or delivery name collides with another key", () => {
    verify(
      property(string({ unit: "binary", maxLength: 12 }), (name) => {
        const ref = at("acme", "thr_x");
        const others = [metaKey(ref), claimKey(ref), recordKey(ref, 0, 0)].map(({ sk }) => sk);
        const made = [blobKey(ref, name).sk, deliverySk(name), blobPartSk(name, "d", 0)];
        return new Set([...others, ...made]).size === others.length + made.length && !made.includes(META);
      }),
    );
  });

  test("a tenant's settings do not collide with its threads", () => {
    expect(settingsKey("acme" as TenantId).pk).not.toBe(threadPk(at("acme", "")));
  });

  test("records sort by generation, then by version, as text", () => {
    const positions = [
      [1_700_000_000_000, 0],
      [1_700_000_000_000, 9],
      [1_700_000_000_000, 10],
      [1_700_000_000_000, 1_000_000],
      [1_700_000_000_001, 0],
      [9_999_999_999_999, 3],
    ] as const;
    const keys = positions.map(([generation, version]) => recordSk(generation, version));
    expect(keys.toSorted()).toEqual(keys);
  });
});

describe("index keys", () => {
  test("contain their tenant and cannot match another tenant's", () => {
    expect(tenantShards("acme")).toHaveLength(SHARDS);
    expect(tenantShards("acme").filter((key) => tenantShards("acme#0").includes(key))).toEqual([]);
    expect(stateShards("a#rest", "plan").filter((key) => stateShards("a", "rest#plan").includes(key))).toEqual([]);
  });

  test.each([
    ["the threads of one tenant and state", (thread?: string) => stateShards("acme", "execute", thread), SHARDS],
    ["pending deliveries of all tenants", outboxShards, OUTBOX_SHARDS],
  ])("spread %s evenly over all shards", (_what, keysOf, shards) => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 8_000; n += 1) {
      const [key = ""] = keysOf(threadId(n));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual(keysOf().toSorted());
    expect(counts.size).toBe(shards);
    expect(Math.max(...counts.values())).toBeLessThan(1.3 * (8_000 / shards));
  });

  test("a delivery id is restored from its keys, and no other key is parsed as one", () => {
    const at = { tenant: TenantId.parse("acme"), thread: "sch_#%/x" as ThreadId };
    const key = { pk: threadPk(at), sk: deliverySk("whd_#1 %") };
    expect(readDeliveryKey(key)).toEqual({ at, id: "whd_#1 %" });
    for (const other of [metaKey(at), blobKey(at, "O#x"), settingsKey(at.tenant), SECRET_KEY, singleUseKey("O#wake")])
      expect(readDeliveryKey(other)).toBeNull();
  });
});
