// Another stage for the stories: the Cloudflare host in the real runtime. Every story is a tenant of its own, reached
// through a door of its own that brings the key; its model answers from this process. What only a process has is missing.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createDemoModel } from "../../../src/adapters/model-demo/model-demo.ts";
import { createScriptedModel } from "../../../src/adapters/model-scripted.ts";
import { createClient } from "../../../src/client/client.ts";
import type { Model } from "../../../src/ports/model.ts";
import type { Calendar } from "../../../src/toolkits/timetable/schema/calendar.ts";
import type { CalendarView } from "../../../src/toolkits/timetable/schema/calendar-view.ts";
import { startModelBridge } from "../../support/model-bridge.ts";
import { must } from "../../support/runtime.ts";
import { keyNamed } from "../../support/server.ts";
import { createSkippingClock, type Story, type StoryFacts } from "../../support/story.ts";
import { testWorkers } from "../../support/worker.ts";

const STORIES_MAX = 40;
const tenants = Array.from({ length: STORIES_MAX }, (_, n) => `story-${n}`);
const keyOf = (tenant: string): string => keyNamed(tenant.replace("-", ""));

export type Stage = {
  readonly open: (facts?: StoryFacts) => Promise<Story>;
  readonly close: () => Promise<void>;
};

export async function openWorkerStage(): Promise<Stage> {
  let playing: Model = createDemoModel();
  let opened = 0;
  const doors: Server[] = [];
  const bridge = await startModelBridge(() => playing);
  const config = {
    providers: { bridge: { base_url: bridge.base_url } },
    models: { demo: { provider: "bridge", name: "demo", window: 32_768 } },
    log: { level: "error" },
  };
  const workers = testWorkers({
    "pawl-stories": {
      vars: {
        PAWL_CONFIG: JSON.stringify(config),
        PAWL_API_KEYS: tenants.map((tenant) => `tester:${tenant}:${keyOf(tenant)}`).join(","),
        // The stories ask who wins when several have thought.
        PAWL_CLAIMS: "off",
      },
    },
  });
  const { url } = await workers.harness.listen();

  const open = async (facts: StoryFacts = {}): Promise<Story> => {
    if (facts.tools || facts.config)
      throw new Error("a worker has the tools and the configuration it was deployed with");
    const tenant = facts.folder ?? tenants[opened++] ?? "";
    const model = createScriptedModel(facts.script ?? [], { clock: createSkippingClock() });
    const mine = facts.model ?? (facts.script ? model : createDemoModel());
    const door = await openDoor(url, keyOf(tenant), () => {
      playing = mine;
    });
    doors.push(door.server);
    const client = createClient(door.url, null);
    const calendar = async (thread: string): Promise<Calendar | null> => {
      const seen = await client.call<CalendarView>("GET", `/v1/threads/${thread}/calendar`);
      if (!seen.ok && seen.problem.code === "thread_not_found") return null;
      const { calendar: shown, effects } = must(seen);
      // What nobody has written to is the sample that every thread begins with.
      return effects.length === 0 ? null : ({ ...shown, applied_effects: effects } as unknown as Calendar);
    };
    const stop = async (): Promise<void> => void door.server.closeAllConnections();
    return {
      client,
      url: door.url,
      folder: tenant,
      model,
      calendar,
      stop,
      end: stop,
      clock: { ...createSkippingClock(), skip: outOfReach("clock") },
      get file(): string {
        return outOfReach("file")();
      },
      get rt(): Story["rt"] {
        return outOfReach("runtime")();
      },
    };
  };
  const close = async (): Promise<void> => {
    for (const door of doors) door.close();
    await workers.harness.close();
    await bridge.close();
  };
  return { open, close };
}

const outOfReach = (what: string) => (): never => {
  throw new Error(`a worker has no ${what} that a test could touch`);
};
/** Brings the key along and says whose model answers from now on: stories are played one after another. */
async function openDoor(url: URL, key: string, entered: () => void): Promise<{ server: Server; url: string }> {
  const server = createServer(async (request, response) => {
    entered();
    const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...headers } = request.headers;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const body = request.method === "GET" ? "" : await text(request);
      const answer = await fetch(new URL(request.url ?? "/", url), {
        method: request.method ?? "GET",
        headers: { ...(headers as Record<string, string>), authorization: `Bearer ${key}` },
        body: body === "" ? null : body,
        signal: gone.signal,
      });
      const { "content-encoding": _____, ...told } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, told).flushHeaders();
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
