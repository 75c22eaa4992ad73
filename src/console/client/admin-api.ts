// Defines the requests of the administration pages.
import type { Client, ToolSettings, TurnResponse } from "../../client/client.ts";
import type { BackgroundRun } from "../../client/jobs.ts";
import type { InboundEventEntry } from "../../schema/jobs/webhook.ts";
import type { Problem, Result } from "../../schema/problem.ts";

export type KeyView = { readonly name: string; readonly scopes: readonly string[]; readonly expires_at: string | null };
export type SkillView = { readonly name: string; readonly description: string; readonly trust: string };
export type SkillDetails = SkillView & {
  readonly body: string;
  readonly from: "folder" | "store";
  readonly files: readonly string[];
};
export type MemoryView = {
  readonly name: string;
  readonly text: string;
  readonly trust: string;
  readonly thread: string | null;
  readonly saved_at: string;
};
export type WorkflowSummary = { readonly name: string; readonly hash: string; readonly description: string };

/** Sends a request with the key of the caller. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

const EXPORT_TYPE = "application/x-ndjson";

export const createAdminApi = ({ call }: Pick<Client, "call">, send: Send) => ({
  keys: () => call<{ keys: KeyView[] }>("GET", "/v1/keys"),
  skills: () => call<{ skills: SkillView[] }>("GET", "/v1/skills"),
  skill: (name: string) => call<SkillDetails>("GET", `/v1/skills/${encodeURIComponent(name)}`),
  memories: (agent: string, q: string) =>
    call<{ memories: MemoryView[] }>("GET", `/v1/memories?${new URLSearchParams({ agent, ...(q ? { q } : {}) })}`),
  removeMemory: (agent: string, name: string) =>
    call<void>("DELETE", `/v1/memories/${encodeURIComponent(name)}?${new URLSearchParams({ agent })}`),
  removeMemories: (agent: string) => call<void>("DELETE", `/v1/memories?${new URLSearchParams({ agent })}`),
  /** Enables or disables a tool for one agent. `changeTool` does so for all agents. */
  changeAgentTool: (agent: string, name: string, enabled: boolean) =>
    call<ToolSettings>("PATCH", `/v1/agents/${encodeURIComponent(agent)}/tools/${encodeURIComponent(name)}`, {
      enabled,
    }),
  inboundEvents: (hook: string) => call<{ events: InboundEventEntry[] }>("GET", `/v1/inbound-webhooks/${hook}/events`),
  redeliverInbound: (hook: string, event: string) =>
    call<{ thread: string }>("POST", `/v1/inbound-webhooks/${hook}/events/${event}/redeliver`),
  backgroundRun: (thread: string) => call<BackgroundRun>("GET", `/v1/threads/${thread}/run`),
  gateLink: (gate: string, thread: string) => call<{ url: string }>("POST", `/v1/gates/${gate}/link`, { thread }),
  workflows: () => call<{ workflows: WorkflowSummary[] }>("GET", "/v1/workflows"),
  storeWorkflow: (text: string) => sendText<WorkflowSummary>(send, "/v1/workflows", "application/yaml", text),
  importThread: (file: Blob) => sendText<TurnResponse>(send, "/v1/import", EXPORT_TYPE, file),
  importCalendar: (thread: string, file: Blob) =>
    sendText<unknown>(send, `/v1/threads/${thread}/calendar`, "text/calendar", file),
});

/** Sends a body that is not JSON, and reads the response as JSON. */
export async function sendText<T>(
  send: Send,
  path: string,
  type: string,
  body: BodyInit,
  method = "POST",
): Promise<Result<T>> {
  const response = await send(path, { method, headers: { "content-type": type }, body });
  const value: unknown = await response.json();
  return response.ok ? { ok: true, value: value as T } : { ok: false, problem: value as Problem };
}
