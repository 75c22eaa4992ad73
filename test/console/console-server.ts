// The real app with the console in front, the scheduling tools behind, and a model that says what the test wrote down.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "../../scripts/build-console.ts";
import { createMemoryCalendarStore } from "../../src/adapters/calendar-memory.ts";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { consoleFiles } from "../../src/hosts/node/console-files.ts";
import { createLog } from "../../src/hosts/node/log.ts";
import { startHostWorker, withPollOnWrite } from "../../src/hosts/shared/host-worker.ts";
import { calendarCompanions } from "../../src/hosts/shared/sqlite-scheduling.ts";
import { createHub, type Hub } from "../../src/http/live/hub.ts";
import { aboutRoutes } from "../../src/http/routes/about.ts";
import { calendarRoutes } from "../../src/http/routes/calendar.ts";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { consoleFileRoutes } from "../../src/http/routes/console-page.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { sendWebhook } from "../../src/jobs/webhooks/send-webhook.ts";
import { clarify } from "../../src/toolkits/basics/clarify.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import { schedulingTools } from "../../src/toolkits/timetable/tools.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { createTestEndpoint, type Endpoint } from "../support/test-endpoint.ts";

/** Built from the sources as they are, so that no test passes on yesterday's page. */
export async function buildPage(): Promise<readonly ConsoleFile[]> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-console-"));
  await buildConsole(folder);
  const files = consoleFiles([folder]);
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
  facts: ConsoleServerOptions,
): Promise<TestServer> {
  const store = createMemoryCalendarStore();
  return startTestServer({
    ...facts,
    tools: [clarify, ...schedulingTools(store, { output_trust: "trusted" }), ...(facts.tools ?? [])],
    runtime: { companions: calendarCompanions(store), ...facts.runtime },
    routes: [
      ...consoleFileRoutes(files),
      ...aboutRoutes({ model: facts.demo ? "demo" : "scripted", demo: facts.demo ?? false, data: "memory" }),
      ...calendarRoutes({ store, initial: sampleSemester() }),
      ...(facts.routes ?? []),
    ],
  });
}

const JOBS = { enabled: true, concurrency: 4, lease_ms: 30_000, slice_turns: 10, poll_ms: 100 };

export type ConsoleServerWithWorker = TestServer & { readonly endpoint: Endpoint; readonly hub: Hub };

/** The same with a worker, which drives background runs and tells webhooks, all of which end at one endpoint. */
export async function startConsoleServerWithWorker(
  files: readonly ConsoleFile[],
  facts: ConsoleServerOptions,
): Promise<ConsoleServerWithWorker> {
  const hub = createHub();
  const endpoint = createTestEndpoint();
  let nudge = (): void => undefined;
  const server = await startConsoleServer(files, {
    ...facts,
    runtime: { ...facts.runtime, store: withPollOnWrite(createMemoryStore(), () => nudge()) },
    settings: { ...facts.settings, hub },
    routes: [...webhookRoutes(endpoint), ...(facts.routes ?? [])],
  });
  const worker = startHostWorker(server.rt, {
    owner: "worker",
    jobs: JOBS,
    emit: hub.publish,
    sendWebhook: (due) => sendWebhook(server.rt, due, { fetcher: endpoint, links: null, owner: "worker" }),
    log: createLog("silent"),
  });
  nudge = worker.pollNow;
  const stop = async (): Promise<boolean> => {
    await worker.drain();
    return server.stop();
  };
  return { ...server, endpoint, hub, stop };
}
