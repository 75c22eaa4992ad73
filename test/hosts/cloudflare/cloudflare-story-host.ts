// Runs the stories on the Cloudflare host in the real runtime. Every story is a separate tenant, reached through a
// proxy that adds its key, and its model answers from this process. Stories that need a process are left out.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createDemoModel } from "../../../src/adapters/model-demo/model-demo.ts";
import { createScriptedModel } from "../../../src/adapters/model-scripted.ts";
import { createClient } from "../../../src/client/client.ts";
import type { Model } from "../../../src/ports/model.ts";
import type { Calendar } from "../../../src/toolkits/timetable/schema/calendar.ts";
import type { CalendarView } from "../../../src/toolkits/timetable/schema/calendar-view.ts";
import { createTestCloudflare } from "../../support/cloudflare.ts";
import { startModelBridge } from "../../support/model-bridge.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";
import { createAdjustableClock, type Story, type StoryOptions } from "../../support/story.ts";

const STORIES_MAX = 40;
const tenants = Array.from({ length: STORIES_MAX }, (_, n) => `story-${n}`);
const keyOf = (tenant: string): string => apiKeyFor(tenant.replace("-", ""));

export type StoryHost = {
  readonly open: (facts?: StoryOptions) => Promise<Story>;
  readonly close: () => Promise<void>;
};

export async function startCloudflareStoryHost(): Promise<StoryHost> {
  let activeModel: Model = createDemoModel();
  let opened = 0;
  const proxies: Server[] = [];
  const bridge = await startModelBridge(() => activeModel);
  const config = {
    providers: { bridge: { base_url: bridge.base_url } },
    models: { demo: { provider: "bridge", name: "demo", window: 32_768 } },
    agents: { default: { tools: "all" } },
    log: { level: "error" },
  };
  const workers = createTestCloudflare({
    "pawl-stories": {
      vars: {
        PAWL_CONFIG: JSON.stringify(config),
        PAWL_API_KEYS: tenants.map((tenant) => `tester:${tenant}:${keyOf(tenant)}`).join(","),
        // In some stories several callers ask the model at the same time, which a claim would prevent.
        PAWL_CLAIMS: "off",
      },
    },
  });
  const { url } = await workers.harness.listen();

  const open = async (facts: StoryOptions = {}): Promise<Story> => {
    if (facts.tools || facts.config)
      throw new Error("a worker has the tools and the configuration it was deployed with");
    const tenant = facts.folder ?? tenants[opened++] ?? "";
    const model = createScriptedModel(facts.script ?? [], { clock: createAdjustableClock() });
    const storyModel = facts.model ?? (facts.script ? model : createDemoModel());
    const proxy = await startProxy(url, keyOf(tenant), () => {
      activeModel = storyModel;
    });
    proxies.push(proxy.server);
    const client = createClient(proxy.url, null);
    const calendar = async (thread: string): Promise<Calendar | null> => {
      const seen = await client.call<CalendarView>("GET", `/v1/threads/${thread}/calendar`);
      if (!seen.ok && seen.problem.code === "thread_not_found") return null;
      const { calendar: shown, effects } = unwrap(seen);
      // Before its first write, every thread has the sample calendar.
      return effects.length === 0 ? null : ({ ...shown, applied_effects: effects } as unknown as Calendar);
    };
    const stop = async (): Promise<void> => void proxy.server.closeAllConnections();
    return {
      client,
      url: proxy.url,
      folder: tenant,
      model,
      calendar,
      stop,
      end: stop,
      clock: { ...createAdjustableClock(), skip: notAccessible("clock") },
      get file(): string {
        return notAccessible("file")();
      },
      get rt(): Story["rt"] {
        return notAccessible("runtime")();
      },
    };
  };
  const close = async (): Promise<void> => {
    for (const proxy of proxies) proxy.close();
    await workers.harness.close();
    await bridge.close();
  };
  return { open, close };
}

const notAccessible = (what: string) => (): never => {
  throw new Error(`a worker has no ${what} that a test could touch`);
};
/** Adds the key and selects the story whose model answers from now on. Stories run one after another. */
async function startProxy(url: URL, key: string, onRequest: () => void): Promise<{ server: Server; url: string }> {
  const server = createServer(async (request, response) => {
    onRequest();
    const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...headers } = request.headers;
    const clientGone = new AbortController();
    response.on("close", () => clientGone.abort());
    try {
      const body = request.method === "GET" ? "" : await text(request);
      const answer = await fetch(new URL(request.url ?? "/", url), {
        method: request.method ?? "GET",
        headers: { ...(headers as Record<string, string>), authorization: `Bearer ${key}` },
        body: body === "" ? null : body,
        signal: clientGone.signal,
      });
      const { "content-encoding": _____, ...responseHeaders } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, responseHeaders).flushHeaders();
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
