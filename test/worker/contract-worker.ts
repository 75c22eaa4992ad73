// A worker that runs the contract inside the real runtime, on the very objects that ship: GET /store/<k> runs case k on
// data of its own. The objects differ in one thing: each case has a place of its own, which their names tell.
import { createDurableObjectCalendars } from "../../src/adapters/store-durable-object/calendars.ts";
import { createDurableObjectStore } from "../../src/adapters/store-durable-object/create-store.ts";
import type { WorkerEnv } from "../../src/hosts/worker/env.ts";
import { PawlThread as Shipped } from "../../src/hosts/worker/thread-object.ts";
import { calendarStoreContract } from "../../src/testing/calendar-store.contract.ts";
import { settingsStoreContract } from "../../src/testing/settings-store.contract.ts";
import { threadStoreContract } from "../../src/testing/thread-store.contract.ts";

export { PawlDirectory } from "../../src/hosts/worker/directory-object.ts";

export class PawlThread extends Shipped {
  protected override prefix(): string {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error("an object that was asked for by name knows it");
    return name.slice(0, name.indexOf("/") + 1);
  }
}

export default {
  async fetch(request: Request, env: WorkerEnv): Promise<Response> {
    const [, suite, k] = new URL(request.url).pathname.split("/");
    const prefix = `${suite}-${k}-${crypto.randomUUID()}/`;
    const store = () => createDurableObjectStore({ threads: env.THREADS, directory: env.DIRECTORY }, prefix);
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
