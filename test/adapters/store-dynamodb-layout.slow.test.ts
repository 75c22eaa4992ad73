// Tests DynamoDB specifics: item sizes, generations and tombstones of a thread, expiring items and delayed indexes.
import { randomBytes } from "node:crypto";
import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { ensureTable } from "../../src/adapters/store-dynamodb/ensure-table.ts";
import { blobKey, claimKey, keyItem, metaKey, stateShards, threadPk } from "../../src/adapters/store-dynamodb/keys.ts";
import { KNOWN_HEAD_MS } from "../../src/adapters/store-dynamodb/records/known-heads.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { NO_SETTINGS } from "../../src/schema/settings.ts";
import { succeeded } from "../../src/testing/expect.ts";
import {
  ACME,
  createListed,
  createRecords,
  delivery,
  MUCH_LATER,
  meta,
  record,
  threadAt,
} from "../../src/testing/thread-store/fixtures.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { createFaultyClient, type RecordedRequest, type WireFault } from "../support/dynamodb-faulty-client.ts";
import { createStepClock } from "../support/step-clock.ts";

const at = threadAt();
const gone = { ok: false, problem: { code: "thread_not_found" } };
const DAY_MS = 86_400_000;

describe.runIf(hasDynamoServer())("the layout on DynamoDB", () => {
  const server = useDynamoServer();

  async function open(fault: (request: RecordedRequest) => WireFault | null = () => null, table?: string) {
    const name = table ?? (await server().table());
    const clock = createStepClock();
    const wire = createFaultyClient(server(), fault);
    return { ...createDynamoStore({ client: wire.client, table: name, clock }), table: name, clock, wire };
  }

  async function itemAt(table: string, key: { pk: string; sk: string }) {
    const get = new GetItemCommand({ TableName: table, Key: keyItem(key), ConsistentRead: true });
    return (await server().client().send(get)).Item;
  }

  async function drop(table: string, key: { pk: string; sk: string }): Promise<void> {
    await server()
      .client()
      .send(new DeleteItemCommand({ TableName: table, Key: keyItem(key) }));
  }

  async function itemsOf(table: string): Promise<Record<string, AttributeValue>[]> {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: threadPk(at) } },
    });
    return (await server().client().send(query)).Items ?? [];
  }

  describe("sizes", () => {
    const KB = 1024;
    test.each([399 * KB, 400 * KB, 401 * KB, 466 * KB, 467 * KB, 468 * KB, 2048 * KB - 1, 2048 * KB, 2048 * KB + 1])(
      "an incompressible blob of %i bytes is returned completely",
      async (size) => {
        const { threads, wire } = await open();
        const text = randomBytes(size).toString("base64").slice(0, size);
        succeeded(await threads.putBlob(at, "large", text));
        succeeded(await threads.create(at, record(0), null));
        expect(succeeded(await threads.getBlob(at, "large")) === text).toBe(true);
        const puts = wire.requests.filter(({ operation }) => operation === "PutItem");
        expect(Math.max(...puts.map(({ units }) => units ?? 0))).toBeLessThan(400);
      },
    );

    test("repetitive text is stored and charged at a fraction of its size", async () => {
      const { threads, wire } = await open();
      succeeded(await threads.create(at, record(0), null));
      succeeded(await threads.append(at, record(1, { entry: '{"slot":"free"},'.repeat(6_000) })));
      expect(wire.requests.at(-1)).toMatchObject({ operation: "PutItem", units: 1 });
    });

    test("more deliveries than fit into a transaction are refused before anything is stored", async () => {
      const { threads } = await open();
      await createRecords(threads, at, 1);
      const outbox = Array.from({ length: 51 }, (_, n) => delivery(n, at));
      const refused = { problem: { code: "record_too_large" } };
      expect(await threads.append(at, record(1), { outbox })).toMatchObject(refused);
      expect(succeeded(await threads.load(at, 1)).head.version).toBe(0);
      expect(await threads.append(at, record(1), { outbox: outbox.slice(0, 50) })).toEqual({ ok: true, value: 1 });
      expect(succeeded(await threads.dueDeliveries(MUCH_LATER, 100))).toHaveLength(50);
    });
  });

  describe("a removed thread", () => {
    test("refuses writers that have seen it, at any version", async () => {
      const { threads, table } = await open();
      const late: ThreadStore[] = [];
      for (let version = 0; version < 4; version += 1) {
        const made = record(version);
        succeeded(version === 0 ? await threads.create(at, made, null) : await threads.append(at, made));
        const one = await open(undefined, table);
        expect(succeeded(await one.threads.load(at, 1)).head.version).toBe(version);
        late.push(one.threads);
      }
      succeeded(await threads.remove(at));
      for (const [n, store] of late.entries()) {
        expect(await store.append(at, record(n + 1, { commit_id: `cmt_late_${n}` }))).toMatchObject(gone);
        expect(await store.append(at, record(n))).toMatchObject(gone);
      }
      expect(await threads.load(at, 1)).toMatchObject(gone);
    });

    test("and created again refuses writers of its previous generation", async () => {
      const { threads, table } = await open();
      await createRecords(threads, at, 4);
      const late = await open(undefined, table);
      succeeded(await late.threads.load(at, 1));
      succeeded(await threads.remove(at));
      succeeded(await threads.create(at, record(0, { commit_id: "cmt_new" }), meta(1)));
      expect(await late.threads.append(at, record(4, { commit_id: "cmt_late" }))).toMatchObject({
        problem: { code: "thread_moved", details: { version: 0 } },
      });
      expect(succeeded(await threads.append(at, record(1, { commit_id: "cmt_new_1" })))).toBe(1);
      expect(succeeded(await threads.load(at, 17)).entries.map(({ version }) => version)).toEqual([0, 1]);
      expect(succeeded(await threads.records(at, { after: -1, limit: 10 })).map((row) => row.commit_id)).toEqual([
        "cmt_new",
        "cmt_new_1",
      ]);
    });

    test("and created again many times in one millisecond has distinct generations", async () => {
      const { threads } = await open();
      for (let n = 0; n < 5; n += 1) {
        succeeded(await threads.create(at, record(0, { commit_id: `cmt_life_${n}` }), meta(1)));
        expect(succeeded(await threads.load(at, 17)).entries).toHaveLength(1);
        expect(succeeded(await threads.list(ACME, { limit: 10 }))).toHaveLength(1);
        succeeded(await threads.remove(at));
      }
    });

    test("leaves only tombstones, which expire", async () => {
      const { threads, table, clock } = await open();
      await createListed(threads, 1);
      succeeded(await threads.putBlob(at, "h1", "one"));
      succeeded(await threads.append(at, record(1), { outbox: [delivery(1, at)] }));
      succeeded(await threads.remove(at));
      const left = await itemsOf(table);
      expect(left.map((item) => Object.keys(item).toSorted())).toEqual([
        ["expires", "gone", "life", "pk", "sk"],
        ...Array.from({ length: 3 }, () => ["expires", "gone", "pk", "sk"]),
      ]);
      // Tombstones must last longer than a writer relies on the head it has seen, but must expire.
      for (const item of left) {
        const ms = Number(item.expires?.N) * 1000 - clock.now();
        expect(ms).toBeGreaterThan(10 * KNOWN_HEAD_MS);
        expect(ms).toBeLessThan(7 * DAY_MS);
      }
    });

    test("stays removed and can be created again, whichever of its tombstones have expired", async () => {
      // The test server never expires items, so the test deletes them in any order, as DynamoDB does.
      for (let dropped = 0; dropped < 16; dropped += 1) {
        const { threads, table, clock } = await open();
        await createListed(threads, 1);
        succeeded(await threads.append(at, record(1)));
        succeeded(await threads.remove(at));
        clock.advance(3 * DAY_MS);
        const left = await itemsOf(table);
        expect(left).toHaveLength(4);
        for (const [n, { pk, sk, expires }] of left.entries()) {
          expect(Number(expires?.N) * 1000).toBeLessThan(clock.now());
          if (dropped & (1 << n)) await drop(table, { pk: pk?.S ?? "", sk: sk?.S ?? "" });
        }
        expect(await threads.load(at, 17)).toMatchObject(gone);
        expect(await threads.append(at, record(1, { commit_id: "cmt_late" }))).toMatchObject(gone);
        expect(await threads.create(at, record(0, { commit_id: "cmt_new" }), meta(1))).toEqual({ ok: true, value: 0 });
        succeeded(await threads.append(at, record(1, { commit_id: "cmt_new_1" })));
        expect(succeeded(await threads.load(at, 17))).toMatchObject({ head: { version: 1 }, entries: [{}, {}] });
        expect(succeeded(await threads.list(ACME, { limit: 10 }))).toHaveLength(1);
      }
    });

    test("is removed immediately even if the removal is interrupted, and a later user of the id completes it", async () => {
      let broken = true;
      const { threads, clock, table } = await open(({ operation }) =>
        broken && operation === "BatchWriteItem" ? "lost_request" : null,
      );
      await createListed(threads, 1);
      succeeded(await threads.putBlob(at, "h1", "old"));
      succeeded(await threads.append(at, record(1), { outbox: [delivery(1, at)] }));
      const unavailable = { problem: { code: "store_unavailable" } };
      expect(await threads.remove(at)).toMatchObject(unavailable);
      broken = false;
      expect(await threads.load(at, 1)).toMatchObject(gone);
      expect(await threads.append(at, record(2))).toMatchObject(gone);
      expect(await threads.putDelivery(delivery(2, at))).toMatchObject(gone);
      expect(succeeded(await threads.list(ACME, { limit: 10 }))).toEqual([]);
      // The interrupted process may only be slow, so no other process takes over for a while.
      expect(await threads.create(at, record(0, { commit_id: "cmt_new" }), null)).toMatchObject(unavailable);
      clock.advance(60_000);
      expect(await threads.create(at, record(0, { commit_id: "cmt_new" }), null)).toEqual({ ok: true, value: 0 });
      expect(await threads.getBlob(at, "h1")).toMatchObject({ problem: { code: "blob_not_found" } });
      expect(succeeded(await threads.dueDeliveries(MUCH_LATER, 10))).toEqual([]);
      expect((await itemsOf(table)).filter((item) => item.entry !== undefined)).toHaveLength(1);
    });

    test("is completed by a second removal if the first was interrupted", async () => {
      let broken = true;
      const { threads, clock, table } = await open(({ operation }) =>
        broken && operation === "BatchWriteItem" ? "lost_request" : null,
      );
      await createRecords(threads, at, 3);
      expect((await threads.remove(at)).ok).toBe(false);
      broken = false;
      clock.advance(60_000);
      expect(await threads.remove(at)).toMatchObject(gone);
      expect((await itemsOf(table)).filter((item) => item.entry !== undefined)).toEqual([]);
    });

    test("wins or loses against every racing turn, and nothing partial remains", async () => {
      for (let round = 0; round < 10; round += 1) {
        const { threads, table } = await open();
        const other = await open(undefined, table);
        await createRecords(threads, at, 2);
        succeeded(await other.threads.load(at, 1));
        const [removed, appended] = await Promise.all([threads.remove(at), other.threads.append(at, record(2))]);
        expect(removed).toEqual({ ok: true, value: undefined });
        if (!appended.ok) expect(appended).toMatchObject(gone);
        expect(await other.threads.load(at, 1)).toMatchObject(gone);
        expect((await itemsOf(table)).filter((item) => item.entry !== undefined)).toEqual([]);
      }
    });
  });

  describe("items that expire", () => {
    test("a blob is pending until its record is committed, then permanent", async () => {
      const { threads, table, clock } = await open();
      succeeded(await threads.create(at, record(0), null));
      succeeded(await threads.putBlob(at, "h1", "one"));
      const waiting = await itemAt(table, blobKey(at, "h1"));
      expect(Number(waiting?.expires?.N) * 1000 - clock.now()).toBeGreaterThan(7 * DAY_MS);
      succeeded(await threads.append(at, record(1)));
      expect(await itemAt(table, blobKey(at, "h1"))).not.toHaveProperty("expires");
      succeeded(await threads.putBlob(at, "h1", "one"));
      expect(await itemAt(table, blobKey(at, "h1"))).not.toHaveProperty("expires");
    });

    test("a blob of a lost append still expires, and is kept by the one that wins", async () => {
      const { threads, table } = await open();
      await createRecords(threads, at, 2);
      succeeded(await threads.putBlob(at, "h1", "one"));
      expect(await threads.append(at, record(1, { commit_id: "cmt_late" }))).toMatchObject({ ok: false });
      expect(await itemAt(table, blobKey(at, "h1"))).toHaveProperty("expires");
      succeeded(await threads.append(at, record(2)));
      expect(await itemAt(table, blobKey(at, "h1"))).not.toHaveProperty("expires");
    });

    test("more blobs than fit into a transaction are all kept", async () => {
      const { threads, table } = await open();
      const large = randomBytes(300_000).toString("base64").slice(0, 300_000);
      for (let n = 0; n < 60; n += 1) succeeded(await threads.putBlob(at, `h${n}`, n < 15 ? `${n}${large}` : `${n}`));
      succeeded(await threads.create(at, record(0), meta(1)));
      for (let n = 0; n < 60; n += 1) expect(await itemAt(table, blobKey(at, `h${n}`))).not.toHaveProperty("expires");
    });

    test("a blob that is read days after its turn is kept", async () => {
      const { threads, table, clock } = await open();
      succeeded(await threads.putBlob(at, "h1", "one"));
      succeeded(await threads.getBlob(at, "h1"));
      expect(await itemAt(table, blobKey(at, "h1"))).toHaveProperty("expires");
      clock.advance(2 * DAY_MS);
      expect(succeeded(await threads.getBlob(at, "h1"))).toBe("one");
      expect(await itemAt(table, blobKey(at, "h1"))).not.toHaveProperty("expires");
    });

    test("an expired blob is not found, even in parts, and can be stored again", async () => {
      const { threads, table } = await open();
      const large = randomBytes(600_000).toString("base64");
      for (const [hash, text] of [
        ["h1", "one"],
        ["h2", large],
      ] as const) {
        succeeded(await threads.putBlob(at, hash, text));
        await drop(table, blobKey(at, hash));
        expect(await threads.getBlob(at, hash)).toMatchObject({ problem: { code: "blob_not_found" } });
        succeeded(await threads.putBlob(at, hash, text));
        expect(succeeded(await threads.getBlob(at, hash))).toBe(text);
      }
    });

    test("a claim has one owner, ends by itself, and expires", async () => {
      const { claims, table, clock } = await open();
      expect(await claims.claim(at, "a", 5_000)).toEqual({ ok: true, value: { mine: true } });
      expect(await claims.claim(at, "a", 5_000)).toEqual({ ok: true, value: { mine: true } });
      const until = clock.now() + 5_000;
      expect(await claims.claim(at, "b", 5_000)).toEqual({ ok: true, value: { mine: false, until } });
      expect(Number((await itemAt(table, claimKey(at)))?.expires?.N)).toBe(Math.ceil(until / 1000));
      succeeded(await claims.release(at, "b"));
      expect(await claims.claim(at, "b", 5_000)).toMatchObject({ value: { mine: false } });
      succeeded(await claims.release(at, "a"));
      expect(await claims.claim(at, "b", 5_000)).toEqual({ ok: true, value: { mine: true } });
      clock.advance(5_000);
      expect(await claims.claim(at, "c", 5_000)).toEqual({ ok: true, value: { mine: true } });
    });

    test("a claim ends with the version it was made for, and one of an older version does not replace a newer one", async () => {
      const { claims } = await open();
      expect(await claims.claim(at, "a", 5_000, 3)).toMatchObject({ value: { mine: true } });
      expect(await claims.claim(at, "b", 5_000, 3)).toMatchObject({ value: { mine: false } });
      expect(await claims.claim(at, "b", 5_000, 4)).toMatchObject({ value: { mine: true } });
      expect(await claims.claim(at, "a", 5_000, 3)).toMatchObject({ value: { mine: false } });
    });

    test("recent settings are read once, unless they are too old or this process has saved", async () => {
      const table = await server().table();
      const clock = createStepClock();
      const openSettings = () =>
        createDynamoStore({ client: server().client(), table, clock, settings_max_age_ms: 5_000 }).settings;
      const [own, other] = [openSettings(), openSettings()];
      const versionOf = async (): Promise<number> => succeeded(await (own.loadRecent ?? own.load)(ACME)).version;
      expect(await versionOf()).toBe(0);
      succeeded(await other.save(ACME, NO_SETTINGS, 0));
      expect(await versionOf()).toBe(0);
      expect(succeeded(await own.load(ACME)).version).toBe(1);
      expect(await versionOf()).toBe(1);
      succeeded(await own.save(ACME, NO_SETTINGS, 1));
      expect(await versionOf()).toBe(2);
      succeeded(await other.save(ACME, NO_SETTINGS, 2));
      clock.advance(5_000);
      expect(await versionOf()).toBe(3);
      // A save that loses the race shows that the entry is outdated.
      succeeded(await other.save(ACME, NO_SETTINGS, 3));
      expect(await own.save(ACME, NO_SETTINGS, 3)).toMatchObject({ problem: { code: "settings_moved" } });
      expect(await versionOf()).toBe(4);
    });
  });

  describe("reading", () => {
    test("a delayed index hides nothing and shows nothing outdated", async () => {
      const { threads, table } = await open();
      for (let n = 1; n <= 6; n += 1) await createListed(threads, n, { state: "rest" });
      // Simulates an index that does not know yet that 5 and 6 changed their state to rest.
      for (const n of [5, 6]) {
        const [wrong = ""] = stateShards(ACME, "plan", threadAt(n).thread);
        await server()
          .client()
          .send(
            new UpdateItemCommand({
              TableName: table,
              Key: keyItem(metaKey(threadAt(n))),
              UpdateExpression: "SET in_state = :wrong",
              ExpressionAttributeValues: { ":wrong": { S: wrong } },
            }),
          );
      }
      await createListed(threads, 7, { state: "plan" });
      expect(succeeded(await threads.list(ACME, { state: "plan", limit: 1 })).map((row) => row.thread)).toEqual([
        threadAt(7).thread,
      ]);
      expect(succeeded(await threads.list(ACME, { state: "plan", limit: 10 }))).toHaveLength(1);
    });

    test("a cached head is trusted for a limited time", async () => {
      const { threads, wire, clock } = await open();
      await createRecords(threads, at, 1);
      const operations = (): string[] => wire.requests.splice(0).map(({ operation }) => operation);
      operations();
      succeeded(await threads.append(at, record(1)));
      expect(operations()).toEqual(["PutItem"]);
      clock.advance(KNOWN_HEAD_MS);
      succeeded(await threads.append(at, record(2)));
      expect(operations()).toEqual(["Query", "PutItem"]);
      clock.advance(-3_600_000);
      succeeded(await threads.append(at, record(3)));
      expect(operations()).toEqual(["Query", "PutItem"]);
    });

    test("an existing table is left unchanged", async () => {
      const { threads, table } = await open();
      await createRecords(threads, at, 2);
      await ensureTable(server().client(), table);
      expect(succeeded(await threads.load(at, 1)).head.version).toBe(1);
    });
  });
});
