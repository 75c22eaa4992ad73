// Provides the app in memory with the webhook and link routes, a manual clock, and two tenants with keys.
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createLog } from "../../src/hosts/node/log.ts";
import { createApp } from "../../src/http/app.ts";
import { type ApiScope, SCOPES } from "../../src/http/edge/caller.ts";
import { confirmRoutes } from "../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import { sendWebhook } from "../../src/jobs/webhooks/send-webhook.ts";
import type { AddressGuard } from "../../src/ports/fetcher.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { driveOptions } from "./drive-options.ts";
import { createTestRuntime, unwrap } from "./runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "./server.ts";
import { createTestEndpoint } from "./test-endpoint.ts";

export const LINKS = { secret: "s".repeat(64), base: "https://pawl.example.com" };

export type HttpResult = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly body: Record<string, never> & Record<string, unknown>;
};

type JobsAppOptions = {
  readonly script?: Iterable<ScriptEntry>;
  readonly tools?: readonly Tool[];
  readonly scopes?: readonly ApiScope[];
  readonly guard?: AddressGuard;
};

/** Creates the app with keys for ann of acme with the given scopes and bob of bolt with all scopes. */
export function createJobsApp({ script = [], tools = [], scopes = SCOPES, guard }: JobsAppOptions = {}) {
  const rt = createTestRuntime(script, tools);
  const endpoint = createTestEndpoint();
  const lines: string[] = [];
  const log = createLog("info", [], { write: (line) => void lines.push(line) });
  const keys = () => [aKeyRow("ann", "acme", scopes), aKeyRow("bob", "bolt")];
  const routes = [...webhookRoutes(guard ?? endpoint), ...confirmRoutes(LINKS)];
  const app = createApp(testSettings(rt, { keys, settings: { log } }), routes);

  const request = async (path: string, init: RequestInit): Promise<HttpResult> => {
    const response = await app.request(path, init);
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  const requestAs = (method: string, path: string, body?: unknown, key = "ann"): Promise<HttpResult> =>
    request(path, {
      method,
      headers: { authorization: `Bearer ${apiKeyFor(key)}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  /** Processes what is due now, once: a slice of each run and an attempt of each webhook. */
  const runDueWork = async (): Promise<void> => {
    for (const due of unwrap(await rt.store.dueDeliveries(rt.clock.now(), 100))) {
      if (due.id !== "wake") await sendWebhook(rt, due, { fetcher: endpoint, links: LINKS, owner: "worker" });
      else await runSlice(rt, due, driveOptions());
    }
  };
  return { rt, app, endpoint, lines, request, ask: requestAs, work: runDueWork };
}

export type JobsApp = ReturnType<typeof createJobsApp>;
