// The app in memory with the routes of webhooks and links, a clock of its own, and two tenants with keys.
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createLog } from "../../src/hosts/node/log.ts";
import { createApp } from "../../src/http/app.ts";
import { SCOPES, type Scope } from "../../src/http/edge/caller.ts";
import { confirmRoutes } from "../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { drive } from "../../src/jobs/drive.ts";
import { sendWebhook } from "../../src/jobs/webhooks/send.ts";
import type { AddressGuard } from "../../src/ports/fetcher.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { anEndpoint } from "./endpoint.ts";
import { aRuntime, must } from "./runtime.ts";
import { aKeyRow, keyNamed, someSettings } from "./server.ts";
import { driving } from "./worker-and-caller.ts";

export const LINKS = { secret: "s".repeat(64), base: "https://pawl.example.com" };

export type Asked = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What the answer holds, where it is JSON. */
  readonly body: Record<string, never> & Record<string, unknown>;
};

type Facts = {
  readonly script?: Iterable<ScriptEntry>;
  readonly tools?: readonly Tool[];
  readonly scopes?: readonly Scope[];
  readonly guard?: AddressGuard;
};

/** Keys: ann of acme with the given scopes, bob of bolt with all. */
export function aJobsApp({ script = [], tools = [], scopes = SCOPES, guard }: Facts = {}) {
  const rt = aRuntime(script, tools);
  const endpoint = anEndpoint();
  const lines: string[] = [];
  const log = createLog("info", [], { write: (line) => void lines.push(line) });
  const keys = () => [aKeyRow("ann", "acme", scopes), aKeyRow("bob", "bolt")];
  const routes = [...webhookRoutes(guard ?? endpoint), ...confirmRoutes(LINKS)];
  const app = createApp(someSettings(rt, { keys, settings: { log } }), routes);

  const request = async (path: string, init: RequestInit): Promise<Asked> => {
    const response = await app.request(path, init);
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  const ask = (method: string, path: string, body?: unknown, key = "ann"): Promise<Asked> =>
    request(path, {
      method,
      headers: { authorization: `Bearer ${keyNamed(key)}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  /** Whatever is due now, once: a slice of each run, a try of each webhook. */
  const work = async (): Promise<void> => {
    for (const due of must(await rt.store.dueDeliveries(rt.clock.now(), 100))) {
      if (due.id !== "wake") await sendWebhook(rt, due, { fetcher: endpoint, links: LINKS, owner: "worker" });
      else await drive(rt, due, driving());
    }
  };
  return { rt, app, endpoint, lines, request, ask, work };
}

export type JobsApp = ReturnType<typeof aJobsApp>;
