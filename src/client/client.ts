// Implements the typed client. It depends only on HTTP and on types of the schema.
import type { LiveEvent } from "../schema/event.ts";
import type { Gate } from "../schema/gate.ts";
import type { BudgetInput, CreateInput, TurnInput } from "../schema/input.ts";
import type { Meta } from "../schema/meta.ts";
import type { Problem, Result } from "../schema/problem.ts";
import type { NextAction, ThreadView, TurnView } from "../schema/turn-result.ts";
import { jobMethods } from "./jobs.ts";
import type { ListOptions, PageOptions } from "./list-options.ts";
import { type LiveClient, openLive } from "./live.ts";
import { readEvents, type ServerSentEvent } from "./server-sent-events.ts";

export type TurnResponse = { readonly thread: ThreadView; readonly turn: TurnView | null; readonly next: NextAction };
export type RunResponse = TurnResponse & {
  readonly turns: readonly TurnView[];
  readonly stopped: "gate" | "rest" | "failed" | "problem" | "max_turns" | "time" | "step";
  readonly problem?: Problem;
};
/** The response to a message that was queued. The next turn of the run will read it. */
export type QueuedResponse = { readonly queued: true; readonly position: number };
export type SendOptions = {
  /** The idempotency key. A repeated request with the same key and body gets the same response. */
  readonly key?: string;
  readonly if_match?: number;
  readonly budget?: BudgetInput;
  /** What happens to a message that arrives while a run is in progress. */
  readonly if_busy?: "reject" | "enqueue" | "interrupt" | "rollback";
  readonly signal?: AbortSignal;
};
export type AgentView = {
  readonly name: string;
  readonly default: boolean;
  readonly model: string;
  /** The names of the agent's tools, or null if the agent has every enabled tool. */
  readonly tools: readonly string[] | null;
};
/** The settings of a tool after a change, with their version. */
export type ToolSettings = {
  readonly name: string;
  readonly agent: string | null;
  readonly enabled: boolean;
  readonly prompt_hint: string | null;
  readonly version: number;
};

export type Client = ReturnType<typeof createClient>;

export function createClient(url: string, key: string | null = null, fetcher: typeof fetch = fetch) {
  const base = url.replace(/\/$/, "");
  const auth: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};

  async function send(
    method: string,
    path: string,
    body?: unknown,
    options: SendOptions = {},
    accept = "application/json",
  ): Promise<Result<Response>> {
    const headers = {
      ...auth,
      accept,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...conditionalHeaders(options),
    };
    try {
      const request = {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(options.signal ? { signal: options.signal } : {}),
      };
      const response = await fetcher(`${base}${path}`, request);
      return response.ok ? { ok: true, value: response } : { ok: false, problem: await readProblem(response) };
    } catch (error) {
      return serverUnreachable(base, error);
    }
  }
  async function requestJson<T>(
    method: string,
    path: string,
    body?: unknown,
    options?: SendOptions,
  ): Promise<Result<T>> {
    const response = await send(method, path, body, options);
    if (!response.ok) return response;
    try {
      return { ok: true, value: (response.value.status === 204 ? undefined : await response.value.json()) as T };
    } catch (error) {
      return serverUnreachable(base, error);
    }
  }
  const turnBody = (input: TurnInput | null, options: SendOptions) => ({
    ...(input ? { input } : {}),
    ...(options.budget ? { budget: options.budget } : {}),
    ...(options.if_busy ? { if_busy: options.if_busy } : {}),
  });
  const backgroundAction =
    (verb: string) =>
    (thread: string, options: SendOptions = {}) =>
      requestJson<TurnResponse>("POST", `/v1/threads/${thread}/${verb}`, {}, options);

  return {
    create: (input: CreateInput, options: SendOptions = {}) =>
      requestJson<TurnResponse>("POST", "/v1/threads", input, options),
    get: (thread: string) =>
      requestJson<TurnResponse & { metadata: Record<string, unknown> }>("GET", `/v1/threads/${thread}`),
    list: (options: ListOptions = {}) =>
      requestJson<{
        threads: (Omit<Meta, "thread"> & { id: string })[];
        cursor: string | null;
        order?: "created" | "activity";
      }>("GET", `/v1/threads${query(options)}`),
    rename: (thread: string, title: string) => requestJson<TurnResponse>("PATCH", `/v1/threads/${thread}`, { title }),
    remove: (thread: string) => requestJson<void>("DELETE", `/v1/threads/${thread}`),
    fork: (thread: string, turn: number) => requestJson<TurnResponse>("POST", `/v1/threads/${thread}/fork`, { turn }),
    gates: (options: PageOptions = {}) =>
      requestJson<{ gates: { thread: string; goal: string; gate: Gate }[]; cursor: string | null }>(
        "GET",
        `/v1/gates${query(options)}`,
      ),
    /** Runs one turn. */
    advance: (thread: string, input: TurnInput | null = null, options: SendOptions = {}) =>
      requestJson<TurnResponse>("POST", `/v1/threads/${thread}/turns`, turnBody(input, options), options),
    /** Runs turns until a gate, the end of the run or a limit. */
    advanceUntilPause: (
      thread: string,
      input: TurnInput | null = null,
      options: SendOptions & { max_turns?: number } = {},
    ) =>
      requestJson<RunResponse>(
        "POST",
        `/v1/threads/${thread}/turns?until=pause${options.max_turns ? `&max_turns=${options.max_turns}` : ""}`,
        turnBody(input, options),
        options,
      ),
    /** Sends a message. `if_busy` decides what happens to it while a run is in progress. */
    message: (thread: string, text: string, options: SendOptions = {}) =>
      requestJson<TurnResponse | QueuedResponse>(
        "POST",
        `/v1/threads/${thread}/turns`,
        turnBody({ type: "message", text }, options),
        options,
      ),
    ...jobMethods(requestJson),
    /** Lists the agents of the configuration. */
    agents: () => requestJson<{ agents: AgentView[] }>("GET", "/v1/agents"),
    /** Enables or disables a tool for all agents, or replaces its prompt hint. A hint of null restores the default. */
    changeTool: (
      name: string,
      change: { readonly enabled?: boolean; readonly prompt_hint?: string | null },
      options: SendOptions = {},
    ) => requestJson<ToolSettings>("PATCH", `/v1/tools/${encodeURIComponent(name)}`, change, options),
    /** Starts the background run of a thread, or retries one that has used up its attempts. */
    run: backgroundAction("run"),
    pause: backgroundAction("pause"),
    resume: backgroundAction("resume"),
    /** Streams one turn. The last event is `response` or `problem`. */
    async *stream(
      thread: string,
      input: TurnInput | null = null,
      options: SendOptions = {},
    ): AsyncGenerator<ServerSentEvent> {
      const path = `/v1/threads/${thread}/turns`;
      const response = await send("POST", path, turnBody(input, options), options, "text/event-stream");
      if (!response.ok) yield { type: "problem", id: null, data: response.problem };
      else yield* readEvents(response.value, options.signal);
    },
    /** Streams the stored events after sequence number `after`, then new ones until the signal aborts. */
    async *events(thread: string, options: { after?: number; signal?: AbortSignal } = {}): AsyncGenerator<LiveEvent> {
      const path = `/v1/threads/${thread}/events${query({ after: options.after ?? -1 })}`;
      const response = await send("GET", path, undefined, options, "text/event-stream");
      if (!response.ok) throw new Error(`${response.problem.code}: ${response.problem.message}`);
      for await (const event of readEvents(response.value, options.signal)) yield event.data as LiveEvent;
    },
    /** Creates a short-lived ticket for one stream or socket of a client that cannot send headers. */
    ticket: () => requestJson<{ ticket: string; expires_at: string }>("POST", "/v1/tickets"),
    /** Opens a WebSocket that sends the events of a thread and accepts answers to gates. */
    async live(thread: string, options: { after?: number } = {}): Promise<Result<LiveClient>> {
      const ticket = await requestJson<{ ticket: string }>("POST", "/v1/tickets");
      if (!ticket.ok) return ticket;
      const path = `/v1/threads/${thread}/live${query({ ticket: ticket.value.ticket, after: options.after ?? -1 })}`;
      try {
        return { ok: true, value: await openLive(`${base.replace(/^http/, "ws")}${path}`) };
      } catch (error) {
        return serverUnreachable(base, error);
      }
    },
    /** Sends a request to any other route. */
    call: requestJson,
  };
}

const conditionalHeaders = (options: SendOptions): Record<string, string> => ({
  ...(options.key ? { "idempotency-key": options.key } : {}),
  ...(options.if_match === undefined ? {} : { "if-match": `"${options.if_match}"` }),
});

function query(options: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

async function readProblem(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Problem & Record<string, unknown>;
    const { type: _, title: __, detail: ___, code, message, hint, retry, status, ...details } = body;
    if (code) return { code, message, hint, retry, status, details };
  } catch {
    // The response has no problem as its body. It may come from a proxy instead of the server.
  }
  return clientProblem("internal", `The server answered ${response.status} without a problem.`, response.status);
}

function serverUnreachable(base: string, error: unknown): Result<never> {
  const cause = ((error as Error | null)?.cause ?? error) as { code?: string; message?: string } | null;
  const why = cause?.code ?? cause?.message ?? String(error);
  return { ok: false, problem: clientProblem("store_unavailable", `${base} cannot be reached: ${why}`, 503) };
}

/** Written out, because importing the problem table would add its schemas to every client. */
const clientProblem = (code: "store_unavailable" | "internal", message: string, status: number): Problem => ({
  code,
  message,
  hint: "Check the address and that the server is running, then send the same request again.",
  retry: "later",
  status,
  ...(code === "store_unavailable" ? { details: { connection: true } } : {}),
});
