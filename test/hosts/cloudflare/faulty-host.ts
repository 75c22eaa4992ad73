// The Cloudflare host with faults for some tenants: a directory that loses updates, fails or never answers, an alarm
// that is lost, and a write whose response is lost. Alarms can be fired at any time and several at once. POST /test/<what> controls the faults.
import { threadsWithDueWork } from "../../../src/adapters/store-durable-object/create-store.ts";
import worker from "../../../src/hosts/cloudflare/cloudflare.ts";
import { PawlDirectory as Directory } from "../../../src/hosts/cloudflare/directory-object.ts";
import type { CloudflareEnv } from "../../../src/hosts/cloudflare/env.ts";
import { PawlThread as Thread } from "../../../src/hosts/cloudflare/thread-object.ts";

const lost = new Set<string>();
const written = new Set<string>();
let forgotten = 0;

export class PawlDirectory extends Directory {
  override async rows(...call: Parameters<Directory["rows"]>): Promise<unknown> {
    const [method, [first]] = call;
    const name = this.ctx.id.name ?? "";
    const about = `${name} ${JSON.stringify(first)}`;
    const listing = method === "putMeta" || method === "removeMeta" || method === "setWait" || method === "list";
    if (method === "putMeta" && name === "tenant/forgetful" && forgotten++ < 2) throw new Error("I forgot.");
    if (listing && /tenant(\/|":")away/.test(about)) throw new Error("The directory is away.");
    if (listing && /tenant(\/|":")hanging/.test(about)) return new Promise(() => undefined);
    const result = await super.rows(...call);
    if (method !== "saveDocument" || !name.startsWith("calendar/doomed/") || written.has(name)) return result;
    // The record is stored, but the caller gets no response.
    written.add(name);
    return new Promise(() => undefined);
  }
}

export class PawlThread extends Thread {
  /** Stops every object of this tenant once, right after it has stored a record, so that its response is lost. */
  override async rows(...call: Parameters<Thread["rows"]>): Promise<unknown> {
    const name = this.ctx.id.name ?? "";
    const result = await super.rows(...call);
    if (call[1] !== "append" || !name.startsWith("torn/") || lost.has(name)) return result;
    lost.add(name);
    return this.crash();
  }

  override async alarm(): Promise<void> {
    const name = this.ctx.id.name ?? "";
    // The first instance of each object of this tenant stops, as if the platform had evicted it.
    if (name.startsWith("sleepy/") && !lost.has(name)) return void lost.add(name);
    return super.alarm();
  }

  /** Does what the platform does when the alarm is due. */
  fireAlarm(): Promise<void> {
    return super.alarm();
  }

  /** Stops immediately, whatever the object is doing. */
  async crash(): Promise<void> {
    (this.ctx as unknown as { abort: (why: string) => void }).abort("crashed by a test");
  }
}

type TestRequest = {
  readonly tenant: string;
  readonly thread: string;
  readonly method: string;
  readonly args: unknown[];
};

async function handleTestRequest(
  what: string,
  request: Request,
  { THREADS, DIRECTORY }: CloudflareEnv,
): Promise<Response> {
  if (what === "lost") return Response.json([...lost]);
  if (what === "waiting")
    return Response.json(
      await threadsWithDueWork({ directory: DIRECTORY, now: Number.MAX_SAFE_INTEGER, limit: 1_000 }),
    );
  if (what === "written") return Response.json([...written]);
  const { tenant, thread, method, args } = (await request.json()) as TestRequest;
  const object = THREADS.get(THREADS.idFromName(`${tenant}/${thread}`)) as unknown as PawlThread;
  if (what === "rows") return Response.json(await object.rows({ tenant, thread } as never, method as never, args));
  if (what === "alarms") {
    await Promise.all(args.map(() => object.fireAlarm()));
    return Response.json({});
  }
  await object.crash().catch(() => undefined);
  return Response.json({});
}

export default {
  ...worker,
  fetch: (request: Request, env: CloudflareEnv, ctx: Parameters<typeof worker.fetch>[2]): Promise<Response> => {
    const [, first, what = ""] = new URL(request.url).pathname.split("/");
    return first === "test" ? handleTestRequest(what, request, env) : worker.fetch(request, env, ctx);
  },
};
