// Runs the Cloudflare host in the real runtime on this machine and provides a client for it.
import { join } from "node:path";
import { createTestHarness, type TestHarness, type WorkerHandle } from "wrangler";
import { type Client, createClient } from "../../src/client/client.ts";

process.env.WRANGLER_SEND_METRICS = "false";

const ROOT = join(import.meta.dirname, "../..");

export type CloudflareOptions = {
  readonly main?: string;
  readonly vars?: Readonly<Record<string, string>>;
  /** A folder of static files to serve. */
  readonly files?: string;
};

/** Returns the configuration of wrangler.toml with another name and without the console, which is built separately. */
const cloudflareConfig = (
  name: string,
  { main = "src/hosts/cloudflare/cloudflare.ts", vars = {}, files }: CloudflareOptions,
) => ({
  config: {
    name,
    main: join(ROOT, main),
    compatibility_date: "2026-08-01",
    compatibility_flags: ["nodejs_compat"],
    durable_objects: {
      bindings: [
        { name: "THREADS", class_name: "PawlThread" },
        { name: "DIRECTORY", class_name: "PawlDirectory" },
      ],
    },
    migrations: [{ tag: "v1", new_sqlite_classes: ["PawlThread", "PawlDirectory"] }],
    ...(files ? { assets: { directory: files, binding: "ASSETS", run_worker_first: true } } : {}),
    vars: { PAWL_CONFIG: JSON.stringify({ log: { level: "error" } }), ...vars },
  },
});

export type TestCloudflare = {
  readonly harness: TestHarness;
  readonly worker: (name: string) => WorkerHandle;
  readonly client: (name: string, key?: string) => Client;
  readonly fetch: (name: string, path: string, init?: RequestInit) => Promise<Response>;
};

/** Runs several hosts in one runtime. Each has the same code with its own variables. */
export function createTestCloudflare(workers: Readonly<Record<string, CloudflareOptions>>): TestCloudflare {
  const harness = createTestHarness({
    root: ROOT,
    workers: Object.entries(workers).map(([name, facts]) => cloudflareConfig(name, facts)),
  });
  const worker = (name: string) => harness.getWorker(name);
  const fetchFrom = (name: string, path: string, init?: RequestInit): Promise<Response> =>
    worker(name).fetch(new URL(path, "http://localhost").href, init as never) as unknown as Promise<Response>;
  return {
    harness,
    worker,
    fetch: fetchFrom,
    client: (name, key) =>
      createClient("http://localhost", key ?? null, (url, init) => fetchFrom(name, String(url), init)),
  };
}
