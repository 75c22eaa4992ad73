// A worker that runs the contract inside the real runtime: GET /store/<k> runs case k on data of its own.
import { DurableObject } from "cloudflare:workers";
import { createDurableObjectCalendars } from "../../src/adapters/store-durable-object/calendars.ts";
import { createDurableObjectStore, type Objects } from "../../src/adapters/store-durable-object/create-store.ts";
import { directoryRows } from "../../src/adapters/store-durable-object/directory-rows.ts";
import type { ObjectStorage } from "../../src/adapters/store-durable-object/platform.ts";
import { tellDirectory } from "../../src/adapters/store-durable-object/tell-directory.ts";
import { threadRows } from "../../src/adapters/store-durable-object/thread-rows.ts";
import type { ThreadAt } from "../../src/schema/ids.ts";
import { calendarStoreContract } from "../../src/testing/calendar-store.contract.ts";
import { settingsStoreContract } from "../../src/testing/settings-store.contract.ts";
import { threadStoreContract } from "../../src/testing/thread-store.contract.ts";

type Env = { readonly THREADS: Objects["threads"]; readonly DIRECTORY: Objects["directory"] };
type Held = {
  readonly ctx: { readonly storage: ObjectStorage; readonly id: { readonly name?: string } };
  readonly env: Env;
};

export class TestThread extends DurableObject {
  async rows(at: ThreadAt, method: never, args: readonly unknown[], prefix: string): Promise<unknown> {
    const { ctx, env } = this as unknown as Held;
    const rows = threadRows(ctx.storage);
    const result = (rows[method] as (...given: readonly unknown[]) => unknown)(...args);
    await tellDirectory(env.DIRECTORY, rows, at, method, prefix);
    return result;
  }
}

export class TestDirectory extends DurableObject {
  async rows(method: never, args: readonly unknown[]): Promise<unknown> {
    const { ctx } = this as unknown as Held;
    return (directoryRows(ctx.storage)[method] as (...given: readonly unknown[]) => unknown)(...args);
  }
}

/** Every case has objects of its own: the prefix goes into every name, and along with every call. */
function objectsOf(env: Env, prefix: string): Objects {
  return {
    directory: env.DIRECTORY,
    threads: {
      idFromName: (name) => env.THREADS.idFromName(name),
      get: (id) => {
        const stub = env.THREADS.get(id) as unknown as { rows: (...args: unknown[]) => Promise<never> };
        return { rows: (at, method, args) => stub.rows(at, method, args, prefix) };
      },
    },
  };
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, suite, k] = new URL(request.url).pathname.split("/");
    const prefix = `${suite}-${k}-${crypto.randomUUID()}/`;
    const store = () => createDurableObjectStore(objectsOf(env, prefix), prefix);
    try {
      if (suite === "store") await threadStoreContract[Number(k)]?.run(async () => store().threads);
      else if (suite === "calendars")
        await calendarStoreContract[Number(k)]?.run(async () => createDurableObjectCalendars(env.DIRECTORY, prefix));
      else await settingsStoreContract[Number(k)]?.run(async () => store().settings);
      return new Response("passed");
    } catch (error) {
      return new Response(error instanceof Error ? `${error.message}\n${error.stack}` : String(error), { status: 500 });
    }
  },
};
