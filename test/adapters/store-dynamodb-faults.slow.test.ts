// Tests the store when DynamoDB throttles, when transactions conflict, and when requests or replies are lost.
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createDynamoStore, type DynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { blobKey, keyItem, threadPk } from "../../src/adapters/store-dynamodb/keys.ts";
import { openDynamoStore } from "../../src/adapters/store-dynamodb/open-store.ts";
import type { RetryOptions } from "../../src/adapters/store-dynamodb/retry.ts";
import { createApp } from "../../src/http/app.ts";
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
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import {
  createFaultyCalls,
  createFaultyClient,
  type RecordedRequest,
  throttled,
  transactionConflict,
  type WireFault,
} from "../support/dynamodb-faulty-client.ts";
import { createTestRuntime } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";
import { createStepClock } from "../support/step-clock.ts";
import { callTool } from "../support/story.ts";
import { look } from "../support/tools.ts";

const at = threadAt();

const CONNECTIONS = { "the AWS SDK": createFaultyClient, "signed requests": createFaultyCalls };
const each = Object.entries(CONNECTIONS);

describe.runIf(hasDynamoServer()).each(each)("faults of DynamoDB, by %s", (_name, connect) => {
  const server = useDynamoServer();

  /** Applies the faults to the first requests of an operation, in order; later requests pass. */
  function queueOf(faults: Record<string, (WireFault | null)[]>): (request: RecordedRequest) => WireFault | null {
    return ({ operation }) => faults[operation]?.shift() ?? null;
  }

  type Opened = DynamoStore & { readonly table: string; readonly wire: ReturnType<typeof connect> };
  async function open(
    fault: (request: RecordedRequest) => WireFault | null,
    retry: RetryOptions = { clock: createStepClock() },
    table?: string,
  ): Promise<Opened> {
    const name = table ?? (await server().table());
    const wire = connect(server(), fault);
    return { ...openDynamoStore({ call: wire.call, table: name, ...retry }), table: name, wire };
  }

  const calmOn = (table: string): DynamoStore => createDynamoStore({ client: server().client(), table });
  const versions = async (store: ThreadStore): Promise<number[]> =>
    succeeded(await store.records(at, { after: -1, limit: 100 })).map((row) => row.version);

  describe("throttling and conflicts", () => {
    test.each([
      "ProvisionedThroughputExceededException",
      "ThrottlingException",
      "RequestLimitExceeded",
      "TransactionConflictException",
    ])("a put rejected with %s is retried after jittered pauses", async (exception) => {
      const clock = createStepClock();
      const refusals = Array.from({ length: 5 }, () => ({ exception }));
      const { threads } = await open(queueOf({ PutItem: refusals }), { clock, random: () => 0.5 });
      await createRecords(threads, at, 2);
      expect(await versions(threads)).toEqual([0, 1]);
      expect(clock.slept).toEqual([10, 20, 40, 80, 160]);
    });

    test("a throttled query is retried", async () => {
      const { threads } = await open(queueOf({ Query: [throttled, throttled] }));
      await createRecords(threads, at, 2);
      expect(succeeded(await threads.load(at, 17)).head.version).toBe(1);
    });

    test("a conflicting transaction is retried, and its rows are written once", async () => {
      const collisions = [
        transactionConflict(null, "TransactionConflict"),
        transactionConflict("TransactionConflict", null, null),
      ];
      const { threads, wire } = await open(queueOf({ TransactWriteItems: [null, ...collisions] }));
      await createListed(threads, 1);
      const also = { meta: meta(1, { version: 1, state: "rest" }), outbox: [delivery(1, at)] };
      expect(await threads.append(at, record(1), also)).toEqual({ ok: true, value: 1 });
      expect(wire.requests.filter(({ operation }) => operation === "TransactWriteItems")).toHaveLength(4);
      expect(succeeded(await threads.list(ACME, { state: "rest", limit: 10 }))).toHaveLength(1);
      expect(succeeded(await threads.dueDeliveries(MUCH_LATER, 10))).toEqual([delivery(1, at)]);
    });

    test("a partly throttled transaction is retried", async () => {
      const { threads } = await open(queueOf({ TransactWriteItems: [transactionConflict("ThrottlingError", null)] }));
      await createListed(threads, 1);
      expect(await versions(threads)).toEqual([0]);
    });

    test("a table that stays throttled gives store_unavailable within the retry time, and nothing is stored", async () => {
      const clock = createStepClock();
      const faults = ({ operation }: RecordedRequest) => (operation === "PutItem" ? throttled : null);
      const { threads, table } = await open(faults, { clock, patience_ms: 2_000 });
      await createRecords(threads, at, 1);
      expect(await threads.append(at, record(1))).toMatchObject({ ok: false, problem: { code: "store_unavailable" } });
      const waited = clock.slept.reduce((sum, ms) => sum + ms, 0);
      expect(waited).toBeGreaterThan(500);
      expect(waited).toBeLessThanOrEqual(2_000);
      expect(await versions(calmOn(table).threads)).toEqual([0]);
    });

    test("a turn on a table that stays throttled ends before its deadline with 503, and continues when the table does", async () => {
      const clock = createStepClock();
      let busy = false;
      const { threads, settings, claims } = await open(
        ({ operation }) => (busy && operation === "PutItem" ? throttled : null),
        { clock },
      );
      const app = createApp(
        testSettings(
          createTestRuntime(
            ["desk", "shelf", "door"].map((at) => callTool("look", { at })),
            [look],
            {
              store: threads,
              settings,
              claims,
              clock,
            },
          ),
        ),
      );
      const post = (path: string, body: object): Promise<Response> | Response =>
        app.request(`http://127.0.0.1${path}`, {
          method: "POST",
          headers: { host: "127.0.0.1", "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const created = await post("/v1/threads", { goal: "Look", mode: "direct" });
      const path = `${created.headers.get("location")}/turns`;
      expect((await post(path, {})).status).toBe(200);
      busy = true;
      const began = clock.now();
      const refused = await post(path, {});
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(clock.now() - began).toBeLessThan(DEFAULT_CONFIG.turn_deadline_ms);
      busy = false;
      expect(await (await post(path, {})).json()).toMatchObject({ thread: { version: 2, turn: 2 } });
    });

    test("a thread with a hot partition does not delay other threads", async () => {
      const clock = createStepClock();
      const hot = JSON.stringify(threadPk(at));
      const { threads } = await open(
        ({ body, operation }) => (operation === "PutItem" && JSON.stringify(body).includes(hot) ? throttled : null),
        { clock },
      );
      for (let n = 1; n <= 20; n += 1) await createRecords(threads, threadAt(n), 1);
      const before = clock.slept.length;
      const cold = Array.from({ length: 19 }, (_, n) => threads.append(threadAt(n + 2), record(1)));
      expect((await Promise.all(cold)).every((result) => result.ok)).toBe(true);
      expect(clock.slept.length).toBe(before);
      expect(await threads.append(at, record(1))).toMatchObject({ problem: { code: "store_unavailable" } });
    });

    test("a partly processed batch is completed", async () => {
      const faults = { BatchWriteItem: ["half_done", "half_done", "half_done"], BatchGetItem: ["half_done"] } as const;
      const { threads, wire } = await open(
        queueOf({ BatchWriteItem: [...faults.BatchWriteItem], BatchGetItem: [...faults.BatchGetItem] }),
      );
      for (let n = 1; n <= 4; n += 1) await createListed(threads, n);
      expect(succeeded(await threads.list(ACME, { limit: 10 }))).toEqual([4, 3, 2, 1].map((n) => meta(n)));
      for (let version = 1; version <= 60; version += 1) succeeded(await threads.append(at, record(version)));
      expect(await threads.remove(at)).toEqual({ ok: true, value: undefined });
      const written = wire.requests.filter(({ operation }) => operation === "BatchWriteItem");
      expect(written.map(({ body }) => Object.values(body.RequestItems as object)[0].length)).toEqual([
        25, 12, 6, 3, 25, 11,
      ]);
      expect(await threads.records(at, { after: -1, limit: 100 })).toMatchObject({
        problem: { code: "thread_not_found" },
      });
    });

    test("with a third of all requests throttled, at least 99 of 100 commits succeed and none is lost or duplicated", async () => {
      let seed = 7;
      const chance = (): number => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      const { threads } = await open(() => (chance() < 0.3 ? throttled : null), { clock: createStepClock() });
      succeeded(await threads.create(at, record(0), null));
      let version = 0;
      let failures = 0;
      for (let n = 0; n < 1000; n += 1) {
        const done = await threads.append(at, record(version + 1, { commit_id: `cmt_${n}` }));
        if (done.ok) version += 1;
        else failures += 1;
      }
      expect(failures).toBeLessThanOrEqual(10);
      const { head, entries } = succeeded(await threads.load(at, 17));
      expect([head.version, entries.length]).toEqual([version, 17]);
    });
  });

  describe("lost requests and replies", () => {
    test.each(["lost_request", "lost_reply"] as const)("a create with a %s is executed once", async (fault) => {
      const { threads } = await open(queueOf({ TransactWriteItems: [fault] }));
      expect(await threads.create(at, record(0), meta(1))).toEqual({ ok: true, value: 0 });
      expect(succeeded(await threads.list(ACME, { limit: 10 }))).toEqual([meta(1)]);
    });

    test.each(["lost_request", "lost_reply"] as const)("a put with a %s is executed once", async (fault) => {
      const { threads } = await open(queueOf({ PutItem: [fault, fault, fault] }));
      await createRecords(threads, at, 1);
      expect(await threads.append(at, record(1))).toEqual({ ok: true, value: 1 });
      expect(await versions(threads)).toEqual([0, 1]);
    });

    test.each(["lost_request", "lost_reply"] as const)("a transaction with a %s is executed once", async (fault) => {
      const { threads } = await open(queueOf({ TransactWriteItems: [null, fault] }));
      await createListed(threads, 1);
      const also = { meta: meta(1, { version: 1, goal: "moved" }), outbox: [delivery(1, at)] };
      expect(await threads.append(at, record(1), also)).toEqual({ ok: true, value: 1 });
      expect(succeeded(await threads.list(ACME, { limit: 10 }))).toEqual([meta(1, { version: 1, goal: "moved" })]);
      expect(succeeded(await threads.dueDeliveries(MUCH_LATER, 10))).toEqual([delivery(1, at)]);
    });

    test("a blob of another turn, stored while a lost commit is retried, is still kept by its own record", async () => {
      const clock = createStepClock();
      const other: { putBlob: () => Promise<unknown> } = { putBlob: async () => undefined };
      const sleep = async (ms: number): Promise<void> => {
        await other.putBlob();
        await clock.sleep(ms);
      };
      const { threads, table } = await open(queueOf({ PutItem: ["lost_reply"] }), { clock: { ...clock, sleep } });
      await createRecords(threads, at, 1);
      other.putBlob = () => threads.putBlob(at, "h1", "one");
      expect(await threads.append(at, record(1))).toEqual({ ok: true, value: 1 });
      expect(await threads.append(at, record(2))).toEqual({ ok: true, value: 2 });
      const get = new GetItemCommand({ TableName: table, Key: keyItem(blobKey(at, "h1")), ConsistentRead: true });
      expect((await server().client().send(get)).Item).toEqual(
        expect.not.objectContaining({ expires: expect.anything() }),
      );
    });

    test("a commit whose reply is lost on the last attempt is recognized by its commit id", async () => {
      const { threads } = await open(queueOf({ PutItem: ["lost_reply"] }), { patience_ms: 0 });
      await createRecords(threads, at, 1);
      expect(await threads.append(at, record(1))).toEqual({ ok: true, value: 1 });
    });

    test("a commit that is lost on the last attempt gives store_unavailable, not a conflict", async () => {
      const { threads } = await open(queueOf({ PutItem: ["lost_request"] }), { patience_ms: 0 });
      await createRecords(threads, at, 1);
      expect(await threads.append(at, record(1))).toMatchObject({ problem: { code: "store_unavailable" } });
      expect(await versions(threads)).toEqual([0]);
    });

    test("another record in place of a lost one is a conflict", async () => {
      const table = await server().table();
      const clock = createStepClock();
      const other = calmOn(table).threads;
      // The other record is written while this one waits to retry.
      const sleep = async (ms: number): Promise<void> => {
        await other.append(at, record(1));
        await clock.sleep(ms);
      };
      const overtaken = { clock: { ...clock, sleep } };
      const { threads } = await open(queueOf({ PutItem: ["lost_request"] }), overtaken, table);
      await createRecords(other, at, 1);
      const late = record(1, { commit_id: "cmt_late" });
      const lost = { problem: { code: "thread_moved", details: { version: 1 } } };
      expect(await threads.append(at, late)).toMatchObject(lost);
      expect(await versions(other)).toEqual([0, 1]);
    });

    test("another record is reported even if no attempt got through", async () => {
      const table = await server().table();
      const other = calmOn(table).threads;
      const { threads } = await open(
        ({ operation }) => (operation === "PutItem" ? "lost_request" : null),
        undefined,
        table,
      );
      await createRecords(other, at, 2);
      succeeded(await threads.load(at, 1));
      succeeded(await other.append(at, record(2)));
      const late = record(2, { commit_id: "cmt_late" });
      const lost = { problem: { code: "thread_moved", details: { version: 2 } } };
      expect(await threads.append(at, late)).toMatchObject(lost);
    });

    test("a removal whose reply is lost succeeds", async () => {
      const { threads } = await open(queueOf({ TransactWriteItems: [null, "lost_reply"] }));
      await createListed(threads, 1);
      expect(await threads.remove(at)).toEqual({ ok: true, value: undefined });
      expect(await threads.load(at, 1)).toMatchObject({ problem: { code: "thread_not_found" } });
    });

    test("settings whose reply is lost are saved once", async () => {
      const { settings } = await open(queueOf({ PutItem: ["lost_reply", null, "lost_reply"] }));
      expect(await settings.save(ACME, { ...NO_SETTINGS, tools: { a: true } }, 0)).toEqual({ ok: true, value: 1 });
      expect(await settings.save(ACME, NO_SETTINGS, 1)).toEqual({ ok: true, value: 2 });
      expect(succeeded(await settings.load(ACME)).version).toBe(2);
    });

    test("a delivery settled with a lost reply is reported as settled to its owner", async () => {
      const faults = { DeleteItem: ["lost_reply" as const], PutItem: ["lost_reply" as const] };
      const { threads } = await open(queueOf(faults));
      succeeded(await threads.create(at, record(0), null));
      const one = delivery(1, at);
      succeeded(await threads.putDelivery(one));
      const claimed = { ...one, attempts: 1, due_at: one.due_at + 10 };
      expect(await threads.settleDelivery(one, claimed)).toEqual({ ok: true, value: true });
      expect(await threads.settleDelivery(claimed, null)).toEqual({ ok: true, value: true });
      expect(succeeded(await threads.deliveries(at, 10))).toEqual([]);
    });

    test("commits do not rely on the transaction token to be idempotent", async () => {
      const clock = createStepClock();
      const { threads, wire } = await open(queueOf({ TransactWriteItems: [null, "lost_reply"] }), { clock });
      await createListed(threads, 1);
      succeeded(await threads.append(at, record(1), { meta: meta(1, { version: 1 }) }));
      // DynamoDB forgets a token after ten minutes, and then the same commit is sent again.
      clock.advance(11 * 60_000);
      expect(await threads.append(at, record(1), { meta: meta(1, { version: 1 }) })).toEqual({ ok: true, value: 1 });
      const tokens = wire.requests
        .filter(({ operation }) => operation === "TransactWriteItems")
        .flatMap(({ body }) => body.ClientRequestToken ?? []);
      expect(new Set(tokens).size).toBe(tokens.length);
      expect(await versions(threads)).toEqual([0, 1]);
    });
  });

  describe("an unavailable table", () => {
    test("a missing table gives store_unavailable immediately and names the reason", async () => {
      const clock = createStepClock();
      const { threads } = createDynamoStore({ client: server().client(), table: "no-such-table", clock });
      const failed = await threads.load(at, 1);
      expect(failed).toMatchObject({ problem: { code: "store_unavailable" } });
      expect(failed.ok ? "" : failed.problem.message).toContain("ResourceNotFoundException");
      expect(clock.slept).toEqual([]);
    });

    test("a server that does not respond gives store_unavailable", async () => {
      const client = server().client({ endpoint: "http://127.0.0.1:9" });
      const { threads } = createDynamoStore({ client, table: "pawl", clock: createStepClock() });
      expect(await threads.load(at, 1)).toMatchObject({ problem: { code: "store_unavailable" } });
    });

    test.each(["ExpiredTokenException", "AccessDeniedException", "UnrecognizedClientException"])(
      "credentials refused with %s give store_unavailable immediately",
      async (exception) => {
        const clock = createStepClock();
        const { threads } = await open(queueOf({ Query: [{ exception }] }), { clock });
        const failed = await threads.load(at, 1);
        expect(failed).toMatchObject({ problem: { code: "store_unavailable" } });
        expect(failed.ok ? "" : failed.problem.message).toContain(exception);
        expect(clock.slept).toEqual([]);
      },
    );

    test("a server error without a readable body is retried", async () => {
      const faults = [
        { exception: "InternalServerError", status: 500 },
        { exception: "<html>", status: 503 },
      ];
      const { threads } = await open(queueOf({ PutItem: faults }));
      await createRecords(threads, at, 1);
      expect(await versions(threads)).toEqual([0]);
    });

    test("a malformed request is a bug and throws", async () => {
      const { threads } = await open(queueOf({ Query: [{ exception: "ValidationException" }] }));
      await expect(threads.load(at, 1)).rejects.toThrow("injected");
    });
  });
});
