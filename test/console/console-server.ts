// Starts the real app with the console, the scheduling tools and a scripted model.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "../../scripts/build-console.ts";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { consoleFiles } from "../../src/hosts/node/console-files.ts";
import { createLog } from "../../src/hosts/node/log.ts";
import { startHostWorker, withPollOnWrite } from "../../src/hosts/shared/host-worker.ts";
import { createHub, type Hub } from "../../src/http/live/hub.ts";
import { aboutRoutes } from "../../src/http/routes/about.ts";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { consoleFileRoutes } from "../../src/http/routes/console-page.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { sendWebhook } from "../../src/jobs/webhooks/send-webhook.ts";
import { withImportedDocuments } from "../../src/threads/imported-documents.ts";
import { clarify } from "../../src/toolkits/basics/clarify.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { createTimetable } from "../support/calendars.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { createTestEndpoint, type Endpoint } from "../support/test-endpoint.ts";

let built: Promise<readonly ConsoleFile[]> | null = null;

/**
 * Builds the console from source, so that no test uses an outdated build. It is built once for all test files of a
 * process.
 */
export function buildPage(): Promise<readonly ConsoleFile[]> {
  built ??= buildFiles();
  return built;
}

async function buildFiles(): Promise<readonly ConsoleFile[]> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-console-"));
  await buildConsole(folder);
  // The files are copied, because the host reads a file only on request and the folder is removed here.
  const files = consoleFiles([folder]).map(({ path, type, body, etag }) => ({ path, type, body, etag }));
  rmSync(folder, { recursive: true });
  return files;
}

export type ConsoleServerOptions = Omit<TestServerOptions, "script" | "tools"> & {
  readonly script: Iterable<ScriptEntry>;
  readonly tools?: readonly Tool[];
  readonly demo?: boolean;
};

export async function startConsoleServer(
  files: readonly ConsoleFile[],
  options: ConsoleServerOptions,
): Promise<TestServer> {
  const store = options.runtime?.store ?? createMemoryStore();
  const documents = createMemoryDocuments();
  const timetable = createTimetable(withImportedDocuments(documents, store));
  return startTestServer({
    ...options,
    tools: [clarify, ...timetable.tools, ...(options.tools ?? [])],
    // Without a worker the page advances every run itself.
    runtime: { companions: timetable.companions, worker: { running: false }, ...options.runtime, store, documents },
    routes: [
      ...consoleFileRoutes(files),
      ...aboutRoutes({ model: options.demo ? "demo" : "scripted", demo: options.demo ?? false, data: "memory" }),
      ...timetable.routes,
      ...(options.routes ?? []),
    ],
  });
}

const JOBS = { enabled: true, concurrency: 4, lease_ms: 30_000, slice_turns: 10, poll_ms: 100 };

export type ConsoleServerWithWorker = TestServer & { readonly endpoint: Endpoint; readonly hub: Hub };

/** Adds a worker that advances background runs and delivers all webhooks to one test endpoint. */
export async function startConsoleServerWithWorker(
  files: readonly ConsoleFile[],
  options: ConsoleServerOptions,
): Promise<ConsoleServerWithWorker> {
  const hub = createHub();
  const endpoint = createTestEndpoint();
  let pollNow = (): void => undefined;
  const server = await startConsoleServer(files, {
    ...options,
    runtime: {
      ...options.runtime,
      worker: { running: true },
      store: withPollOnWrite(createMemoryStore(), () => pollNow()),
    },
    settings: { ...options.settings, hub },
    routes: [...webhookRoutes(endpoint), ...(options.routes ?? [])],
  });
  const worker = startHostWorker(server.rt, {
    owner: "worker",
    jobs: JOBS,
    emit: hub.publish,
    sendWebhook: (due) => sendWebhook(server.rt, due, { fetcher: endpoint, links: null, owner: "worker" }),
    log: createLog("silent"),
  });
  pollNow = worker.pollNow;
  const stop = async (): Promise<boolean> => {
    await worker.drain();
    return server.stop();
  };
  return { ...server, endpoint, hub, stop };
}
