// Tests that every route that changes something has a form: a module of the console uses it, or a reason is given.
import { expect, test } from "vitest";
import { readSource, sourceFiles } from "../../scripts/read-source.ts";
import { ROUTES } from "../../src/http/app.ts";
import { confirmRoutes } from "../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { TOOLKITS } from "../../src/toolkits/index.ts";
import type { RouteInfo } from "../../src/tools/route.ts";

type Use = readonly [file: string, call: string];

/** The file or folder of the console and the call in it, by route. */
const FORMS: Readonly<Record<string, Use>> = {
  "post /v1/threads": ["shell/app.tsx", "api.create("],
  "patch /v1/threads/:id": ["thread/thread-header.tsx", "session.rename("],
  "delete /v1/threads/:id": ["thread/thread-page.tsx", "api.remove("],
  "post /v1/threads/:id/fork": ["thread/thread-page.tsx", "api.fork("],
  "post /v1/threads/:id/turns": ["thread/composer.tsx", "session.send("],
  "post /v1/threads/:id/run": ["jobs/runs-page.tsx", "api[command]("],
  "post /v1/threads/:id/pause": ["thread/thread-header.tsx", 'controlBackground("pause")'],
  "post /v1/threads/:id/resume": ["jobs/background-status.tsx", '"resume"'],
  "post /v1/threads/:id/poke": ["workflow/workflow-panel.tsx", 'type: "poke"'],
  "post /v1/import": ["shell/home.tsx", "api.importThread("],
  "patch /v1/tools/:name": ["tools/tools-page.tsx", "api.changeTool("],
  "patch /v1/agents/:id/tools/:name": ["tools/tools-page.tsx", "api.changeAgentTool("],
  "post /v1/workflows": ["admin/workflows.tsx", "api.storeWorkflow("],
  "post /v1/schedules": ["jobs/schedule-form.tsx", "api.schedules.create("],
  "patch /v1/schedules/:schedule": ["jobs/schedule-form.tsx", "api.schedules.change("],
  "delete /v1/schedules/:schedule": ["jobs/schedules-page.tsx", "api.schedules.remove("],
  "post /v1/webhooks": ["jobs/webhooks-page.tsx", "api.webhooks.create("],
  "patch /v1/webhooks/:webhook": ["jobs/webhooks-page.tsx", "api.webhooks.change("],
  "delete /v1/webhooks/:webhook": ["jobs/webhooks-page.tsx", "api.webhooks.remove("],
  "post /v1/webhooks/:webhook/rotate": ["jobs/webhooks-page.tsx", "api.webhooks.rotate("],
  "post /v1/webhooks/:webhook/redeliver": ["jobs/webhooks-page.tsx", "api.webhooks.redeliver("],
  "post /v1/inbound-webhooks": ["jobs/inbound-webhooks.tsx", "api.inboundWebhooks.create("],
  "patch /v1/inbound-webhooks/:hook": ["jobs/inbound-webhooks.tsx", "api.inboundWebhooks.change("],
  "delete /v1/inbound-webhooks/:hook": ["jobs/inbound-webhooks.tsx", "api.inboundWebhooks.remove("],
  "post /v1/inbound-webhooks/:hook/rotate": ["jobs/inbound-webhooks.tsx", "api.inboundWebhooks.rotate("],
  "post /v1/inbound-webhooks/:hook/events/:event/redeliver": ["jobs/inbound-webhooks.tsx", "api.redeliverInbound("],
  "post /v1/gates/:gate/link": ["gates/gate-card.tsx", "session.gateLink("],
  "post /v1/threads/:id/calendar": ["timetable/schedule-panel.tsx", "onFile={onImport}"],
  "post /v1/calendars": ["calendar/", "api.create("],
  "put /v1/calendars/:id/ics": ["calendar/", "api.importFile("],
  "put /v1/calendars/:id/source": ["calendar/", "api.connect("],
  "post /v1/calendars/:id/sync": ["calendar/", "api.sync("],
  "delete /v1/calendars/:id": ["calendar/", "api.remove("],
  "delete /v1/memories/:name": ["admin/memories.tsx", "api.removeMemory("],
  "delete /v1/memories": ["admin/memories.tsx", "api.removeMemories("],
};

/** Routes that only other programs use. */
const REASONS: readonly (readonly [path: RegExp, why: string])[] = [
  [/^post \/v1\/inbound-webhooks\/:hook$/, "other systems send their events there"],
  [/ \/v1\/hooks/, "names of an older release"],
  [/^post \/v1\/tickets$/, "for clients that cannot send headers; the console sends its key as a header"],
  [/^post \/confirm\/:token$/, "has a page of its own"],
  [/ \/(a2a|agui|ai|openai|mcp)\b/, "for clients of other protocols"],
  [/ \/v1\/desktop\//, "for programs that send texts to people"],
];

const parts = new Proxy({}, { get: () => parts }) as never;
const routes: readonly RouteInfo<string>[] = [
  ...ROUTES,
  ...webhookRoutes(parts),
  ...confirmRoutes(parts),
  ...TOOLKITS.flatMap((toolkit) => toolkit.routes?.(parts) ?? []),
];
const changing = routes
  .filter(({ method, openapi }) => method !== "get" && openapi !== null)
  .map(({ method, path }) => `${method} ${path}`);

test("each route that changes something has a form, or a reason why not", () => {
  const without = changing.filter((name) => !FORMS[name] && !REASONS.some(([path]) => path.test(name)));
  expect(without).toEqual([]);
  expect(Object.keys(FORMS).filter((name) => !changing.includes(name))).toEqual([]);
});

test.each(Object.entries(FORMS))("%s is used by its form", (_name, [file, call]) => {
  const files = sourceFiles("src/console").filter((path) => path.startsWith(`src/console/${file}`));
  expect(files.map(readSource).join("\n")).toContain(call);
});
