// Tests every route that takes an id, including those of toolkits and other protocols. What belongs to another tenant
// is answered as if it did not exist.
import { beforeAll, describe, expect, test } from "vitest";
import { createScriptedModel } from "../../../src/adapters/model-scripted.ts";
import { createMemorySettings } from "../../../src/adapters/settings-memory.ts";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import { createHost } from "../../../src/hosts/shared/create-host.ts";
import { createApp, ROUTES } from "../../../src/http/app.ts";
import { confirmRoutes } from "../../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../../src/http/routes/webhooks.ts";
import { TOOLKITS } from "../../../src/toolkits/index.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { callTool } from "../../support/decisions.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";
import { createTestEndpoint } from "../../support/test-endpoint.ts";

const SECRET = "merger-with-Initech";
const GOAL = { kind: "thread", create: { goal: SECRET } };
const script = [
  callTool("memory_save", { name: "fact", text: SECRET }),
  callTool("skill_manage", { action: "save", name: "hush", description: SECRET, body: SECRET }),
  callTool("skill_manage", { action: "remove", name: "hush" }),
];
const model = createScriptedModel(script);
const agents = { default: { instructions: "", tools: null, toolkits: "all" as const } };
const host = unwrap(
  createHost({
    store: createMemoryStore(),
    settings: createMemorySettings(),
    pickModel: () => model,
    config: { ...DEFAULT_CONFIG, agents },
    toolkits: TOOLKITS,
    parts: { documents: createMemoryDocuments() },
    fetcher: createTestEndpoint(),
  }),
);
const hostRoutes = [...webhookRoutes(createTestEndpoint()), ...confirmRoutes({ secret: "s".repeat(64), base: "" })];
const settings = testSettings(host.rt, { keys: () => [aKeyRow("ada", "acme"), aKeyRow("eve", "other")] });
const app = createApp(settings, hostRoutes, host.routes);

async function send(who: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${apiKeyFor(who)}`, "content-type": "application/json" };
  const more = body === undefined || method === "GET" ? {} : { body: JSON.stringify(body) };
  const response = await app.request(path, { method, headers, ...more });
  return { status: response.status, text: await response.text() };
}
const sendJson = async (...sent: Parameters<typeof send>) => JSON.parse((await send(...sent)).text);

/** Ids of ada's objects, by the parameter of the route or the word before it. */
const own: Record<string, string> = {};
let approval: object;
beforeAll(async () => {
  const make = (path: string, body: object) => sendJson("ada", "POST", path, body);
  const begin = async () => {
    const { thread } = await make("/v1/threads", { goal: SECRET, mode: "direct" });
    return (await make(`/v1/threads/${thread.id}/turns`, {})).thread;
  };
  const approve = ({ gate }: { gate: { id: string; digest: string } }) => ({
    input: { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" },
  });
  await begin();
  const skill = await begin();
  await make(`/v1/threads/${skill.id}/turns`, approve(skill));
  const waiting = await begin();
  const { id, gate } = waiting;
  approval = approve(waiting);
  Object.assign(own, { threads: id, chat: id, memories: "fact", skills: "hush", gate: gate.id });
  Object.assign(own, { conversations: `conv_${id.slice(4)}`, responses: `resp_${id.slice(4)}_1` });
  own.hook = (await make("/v1/inbound-webhooks", { name: SECRET, what: GOAL })).hook.id;
  own.webhook = (
    await make("/v1/webhooks", { name: SECRET, url: "https://example.com/", events: ["gate.opened"] })
  ).webhook.id;
  own.schedules = (
    await make("/v1/schedules", { name: SECRET, when: { kind: "interval", every_s: 60 }, what: GOAL })
  ).schedule.id;
  own.calendars = (await make("/v1/calendars", { name: SECRET, time_zone: "UTC" })).id;
  own.desktop = "eff_1";
});

/** Matches routes that name what the operator configures, or what every tenant has for itself. */
const NAMES = /^\/(?:v1\/(?:tools|agents|workflows)|problems|openai\/v1\/models|confirm)\//;
const routes = [...ROUTES, ...hostRoutes, ...host.routes]
  .filter(({ path, scope }) => path.includes("/:") && scope !== null && !NAMES.test(path))
  .map(({ method, path }) => [method.toUpperCase(), path] as const);

const kindOf = (path: string): string => {
  const [, before = "", parameter = ""] = /([\w-]+)\/:(\w+)/.exec(path) ?? [];
  return parameter in own ? parameter : before;
};
const at = (path: string, id: string): string => path.replace(/:\w+/, id).replace(/:n\b/, "1").replaceAll(/:\w+/g, "x");
const missing = (id: string): string =>
  id.replace(/[0-9a-z]{26}/, "0".repeat(26)).replace(/^(?:cal_\d|fact|hush)$/, "none");
const BODIES = () => [{}, approval, { enabled: false }, { title: "x" }, { turn: 0 }, { text: "x" }];
/** Removes everything that identifies the request or the object. */
const bare = ({ status, text }: { status: number; text: string }, id: string): string =>
  `${status} ${text.replaceAll(id, "").replace(/[0-9a-z]{26}/g, "")}`;

describe("an id of another tenant", () => {
  test.each(routes)("%s %s is answered like one that does not exist", async (method, path) => {
    const id = own[kindOf(path)];
    expect([path, id]).toEqual([path, expect.any(String)]);
    for (const body of BODIES()) {
      const foreign = await send("eve", method, at(path, id ?? ""), body);
      const none = await send("eve", method, at(path, missing(id ?? "")), body);
      expect(bare(foreign, id ?? "")).toBe(bare(none, missing(id ?? "")));
      expect(foreign.text).not.toContain(SECRET);
    }
  });

  test("leaves everything as it was", async () => {
    const { thread } = await sendJson("ada", "GET", `/v1/threads/${own.threads}`);
    expect([thread.version, thread.gate.id]).toEqual([1, own.gate]);
    for (const path of ["inbound-webhooks", "webhooks", "schedules", "calendars", "memories?agent=default", "skills"])
      expect((await send("ada", "GET", `/v1/${path}`)).text).toContain(SECRET);
  });

  test.each(
    ROUTES.concat(hostRoutes)
      .concat()
      .filter(({ method, path }) => method === "get" && !path.includes(":")),
  )("is in no list: $path", async ({ path }) => {
    const { text } = await send("eve", "GET", path);
    for (const secret of [SECRET, own.threads, own.hook, own.webhook, own.schedules])
      expect(text).not.toContain(secret);
  });
});
