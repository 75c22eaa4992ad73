// A worker that runs the contract and the races inside the real runtime, on the product's objects. GET /store/<k> runs
// case k on separate data; each case has its own object names.

import { createDurableObjectStore } from "../../../src/adapters/store-durable-object/create-store.ts";
import { createDurableObjectDocuments } from "../../../src/adapters/store-durable-object/documents.ts";
import type { CloudflareEnv } from "../../../src/hosts/cloudflare/env.ts";
import { PawlThread as Shipped } from "../../../src/hosts/cloudflare/thread-object.ts";
import { documentStoreContract } from "../../../src/testing/document-store.contract.ts";
import { createRaceTarget } from "../../../src/testing/race-suite/store-target.ts";
import { type RaceSizes, raceSuite } from "../../../src/testing/race-suite.ts";
import { settingsStoreContract } from "../../../src/testing/settings-store.contract.ts";
import { threadStoreContract } from "../../../src/testing/thread-store.contract.ts";

import { type Cost, costAt, objectRequestsOfTurn } from "./turn-cost.ts";

export { PawlDirectory } from "../../../src/hosts/cloudflare/directory-object.ts";

export class PawlThread extends Shipped {
  protected override prefix(): string {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error("an object that was asked for by name knows it");
    return name.slice(0, name.indexOf("/") + 1);
  }

  async cost(records: number): Promise<Cost> {
    return costAt(this.ctx.storage, records);
  }
}

/**
 * Returns the cost of rows at that age, and the calls of a turn of a younger thread, because taking a thousand turns
 * would take too long.
 */
async function costOf(env: CloudflareEnv, records: number): Promise<Cost & { readonly calls: readonly string[] }> {
  const prefix = `cost-${crypto.randomUUID()}/`;
  const meter = env.THREADS.get(env.THREADS.idFromName(`${prefix}meter`)) as unknown as PawlThread;
  const objects = { threads: env.THREADS, directory: env.DIRECTORY };
  return { ...(await meter.cost(records)), calls: await objectRequestsOfTurn(objects, Math.min(records, 30), prefix) };
}

const PROCESSES = 4;

/** Runs a case. `sizes` are the sizes of a race. */
async function runCase(env: CloudflareEnv, suite: string, k: number, sizes: string | null): Promise<void> {
  const prefix = `${suite}-${k}-${crypto.randomUUID()}/`;
  const store = () => createDurableObjectStore({ threads: env.THREADS, directory: env.DIRECTORY }, prefix);
  switch (suite) {
    case "store":
      return threadStoreContract[k]?.run(async () => store().threads);
    case "settings":
      return settingsStoreContract[k]?.run(async () => store().settings);
    case "calendars":
      return documentStoreContract[k]?.run(async () => createDurableObjectDocuments(env.DIRECTORY, prefix));
    case "races": {
      const target = await createRaceTarget(async () => store().threads, PROCESSES);
      return raceSuite[k]?.run(target, JSON.parse(sizes ?? "{}") as RaceSizes);
    }
    default:
      throw new Error(`there is no suite ${suite}`);
  }
}

export default {
  async fetch(request: Request, env: CloudflareEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, suite = "", k] = pathname.split("/");
    try {
      if (suite === "cost") return Response.json(await costOf(env, Number(k)));
      await runCase(env, suite, Number(k), searchParams.get("sizes"));
      return new Response("passed");
    } catch (error) {
      return new Response(error instanceof Error ? `${error.message}\n${error.stack}` : String(error), { status: 500 });
    }
  },
};
