// Defines the HTTP API of the console: the typed client, and the routes that only the console reads.
import { createClient, type QueuedResponse, type SendOptions, type TurnResponse } from "../../client/client.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { ProposedCalendarChange } from "../../toolkits/calendar/schema/views.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { DisabledReason } from "../../tools/resolve.ts";
import type { Workflow } from "../../workflow/definition.ts";
import { createCalendarApi } from "../calendar/calendar-api.ts";
import type { RecordView } from "../thread/conversation.ts";
import { createAdminApi } from "./admin-api.ts";
import { withConnectionStatus } from "./connection.ts";

export type About = {
  readonly release: string;
  readonly model: string;
  readonly demo: boolean;
  readonly data: string | null;
  /** True if background runs advance. Older servers do not send this field. */
  readonly worker?: boolean;
  readonly caller: { readonly name: string; readonly scopes: readonly string[] };
};
export type Prompt = {
  readonly turn: number;
  readonly model: string;
  readonly purpose: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
};
export type ToolsView = {
  readonly manifests: readonly Manifest[];
  readonly disabled_reasons: Readonly<Record<string, DisabledReason>>;
};

export type WorkflowStepView = {
  readonly step: string;
  readonly n: number;
  readonly role: string;
  readonly status: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly details: { readonly turn: number; readonly at: string };
};
type WorkflowStepPage = { readonly steps: readonly WorkflowStepView[]; readonly before: string | null };

export type Api = ReturnType<typeof createApi>;

export function createApi(url: string, key: string | null, fetcher: typeof fetch = fetch) {
  // fetch is wrapped in a function, because a browser's fetch throws when it is called as a method of another object.
  const client = createClient(
    url,
    key,
    withConnectionStatus((input, init) => fetcher(input, init)),
  );
  /** Sends a request whose body is not JSON. */
  const send = (path: string, { headers, ...init }: RequestInit): Promise<Response> =>
    fetcher(`${url}${path}`, {
      ...init,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...(headers as Record<string, string>) },
    });
  return {
    ...client,
    /** Sends a message that may be queued, or delivered to a fork of the thread. */
    sendMessage: (thread: string, input: TurnInput, { if_busy, ...options }: SendOptions) =>
      client.call<TurnResponse | QueuedResponse>("POST", `/v1/threads/${thread}/turns`, { input, if_busy }, options),
    about: () => client.call<About>("GET", "/v1/about"),
    records: (thread: string, after: number, limit: number) =>
      client.call<{ records: RecordView[]; after: number | null }>(
        "GET",
        `/v1/threads/${thread}/turns?after=${after}&limit=${limit}`,
      ),
    /** Loads a workflow by name or hash. */
    workflow: (name: string) => client.call<{ workflow: Workflow }>("GET", `/v1/workflows/${encodeURIComponent(name)}`),
    /** Lists steps of the workflow, newest first. */
    workflowSteps: (thread: string, before: string | null = null) =>
      client.call<WorkflowStepPage>("GET", `/v1/threads/${thread}/steps${before ? `?before=${before}` : ""}`),
    prompt: (thread: string, turn: number) => client.call<Prompt>("GET", `/v1/threads/${thread}/turns/${turn}/prompt`),
    ...createAdminApi(client, send),
    calendars: createCalendarApi(client, send),
    calendarChange: (thread: string, edited: string | null) =>
      client.call<ProposedCalendarChange>(
        "GET",
        `/v1/threads/${thread}/calendar-change${edited === null ? "" : `?${new URLSearchParams({ arguments: edited })}`}`,
      ),
    exportThread: (thread: string): Promise<Response> => send(`/v1/threads/${thread}/export`, {}),
    /** Returns the tools of an agent, or of the default one if `agent` is null. */
    agentTools: (agent: string | null) =>
      client.call<ToolsView>("GET", `/v1/tools${agent ? `?${new URLSearchParams({ agent })}` : ""}`),
    tools: (thread: string) => client.call<ToolsView>("GET", `/v1/threads/${thread}/tools`),
    /** `edited`: arguments that the user may approve instead of the proposed ones. */
    calendar: (thread: string, edited?: string) =>
      client.call<CalendarView>(
        "GET",
        `/v1/threads/${thread}/calendar${edited === undefined ? "" : `?arguments=${encodeURIComponent(edited)}`}`,
      ),
  };
}
