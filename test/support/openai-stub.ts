// Runs a real HTTP server that implements chat completions and misbehaves on request. Loopback only, one behavior per
// request.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type StubUsage = { readonly prompt_tokens: number; readonly completion_tokens: number };

export type StubBehavior =
  /** A valid stream. `usage: null` omits the usage; `delay_ms` waits between the chunks. */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly finish?: string;
      readonly usage?: StubUsage | null;
      readonly delay_ms?: number;
      readonly reasoning?: string;
      readonly keep_alives?: number;
      /** Keeps the stream open after its last event. */
      readonly stays_open?: boolean;
    }
  /** One JSON body, although the request asked for a stream. */
  | { readonly kind: "body"; readonly body: unknown }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  | { readonly kind: "html"; readonly status?: number }
  /** Some text, after which the connection is closed. */
  | { readonly kind: "cut"; readonly text: string }
  /** Some text, after which the stream ends without a finish reason. */
  | { readonly kind: "unfinished"; readonly text: string }
  /** Headers and some text, after which nothing follows. */
  | { readonly kind: "silence"; readonly text?: string }
  /** No response at all, not even headers. */
  | { readonly kind: "hang" }
  | { readonly kind: "garbage"; readonly text?: string }
  | { readonly kind: "empty_choices" }
  | { readonly kind: "refusal"; readonly text: string }
  /** A native tool call with its arguments in pieces and `text` beside it. */
  | { readonly kind: "tool_call"; readonly name: string; readonly arguments: string; readonly text?: string }
  /** The deltas of one reply as a provider sends them. */
  | { readonly kind: "deltas"; readonly deltas: readonly Record<string, unknown>[]; readonly finish?: string }
  | { readonly kind: "error_event"; readonly error: Record<string, unknown>; readonly text?: string }
  | { readonly kind: "reset" };

export type StubRequest = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
};
export type StubEntry = StubBehavior | ((request: StubRequest) => StubBehavior);

export type OpenAiStub = {
  readonly base_url: string;
  readonly requests: readonly StubRequest[];
  /** Counts the requests whose connection the client closed. */
  readonly dropped: () => number;
  queue(...entries: StubEntry[]): void;
  /** Sets the behavior for an empty queue. The default is to respond with 418. */
  setDefault(entry: StubEntry): void;
  close(): Promise<void>;
};

export async function startOpenAiStub(): Promise<OpenAiStub> {
  const requests: StubRequest[] = [];
  const entries: StubEntry[] = [];
  let fallback: StubEntry = {
    kind: "status",
    status: 418,
    body: { error: { message: "the stub has no behavior left" } },
  };
  let dropped = 0;

  const server = createServer(async (incoming, response) => {
    response.on("close", () => {
      if (!response.writableFinished) dropped += 1;
    });
    const request = { path: incoming.url ?? "", headers: incoming.headers, body: JSON.parse(await readAll(incoming)) };
    requests.push(request);
    const entry = entries.shift() ?? fallback;
    await respond(typeof entry === "function" ? entry(request) : entry, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    requests,
    dropped: () => dropped,
    queue: (...more) => void entries.push(...more),
    setDefault: (entry) => {
      fallback = entry;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(behavior: StubBehavior, response: ServerResponse): Promise<void> {
  switch (behavior.kind) {
    case "text":
      return streamText(behavior, response);
    case "body":
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(behavior.body));
    case "status":
      return void response
        .writeHead(behavior.status, { "content-type": "application/json", ...behavior.headers })
        .end(JSON.stringify(behavior.body ?? { error: { message: `stub says ${behavior.status}` } }));
    case "html":
      return void response
        .writeHead(behavior.status ?? 200, { "content-type": "text/html" })
        .end("<!doctype html><h1>Bad gateway</h1>");
    case "cut":
      openStream(response);
      sendText(response, behavior.text);
      await waitForFlush();
      return void response.destroy();
    case "unfinished":
      openStream(response);
      sendText(response, behavior.text);
      return void response.end();
    case "silence":
      openStream(response);
      return behavior.text === undefined ? response.flushHeaders() : sendText(response, behavior.text);
    case "hang":
      return;
    case "garbage":
      openStream(response);
      if (behavior.text !== undefined) sendText(response, behavior.text);
      return void response.end("data: {this is not json\n\n");
    case "empty_choices":
      openStream(response);
      send(response, { model: "stub-model", choices: [] });
      return void response.end("data: [DONE]\n\n");
    case "refusal":
      openStream(response);
      send(response, chunk({ refusal: behavior.text }, null));
      send(response, chunk({}, "stop"));
      return void response.end("data: [DONE]\n\n");
    case "tool_call":
      return streamCall(behavior, response);
    case "deltas":
      openStream(response);
      for (const delta of behavior.deltas) send(response, chunk(delta, null));
      send(response, chunk({}, behavior.finish ?? "tool_calls"));
      return void response.end("data: [DONE]\n\n");
    case "error_event":
      openStream(response);
      if (behavior.text !== undefined) sendText(response, behavior.text);
      send(response, { error: behavior.error });
      return void response.end();
    case "reset":
      return void response.socket?.resetAndDestroy();
  }
}

async function streamText(good: Extract<StubBehavior, { kind: "text" }>, response: ServerResponse): Promise<void> {
  openStream(response);
  for (let i = 0; i < (good.keep_alives ?? 0); i += 1) {
    response.write(": still there\n\n");
    await wait(good.delay_ms ?? 1);
  }
  if (good.reasoning !== undefined) send(response, chunk({ reasoning_content: good.reasoning }, null));
  for (const part of splitChunks(good.text)) {
    sendText(response, part);
    if (good.delay_ms !== undefined) await wait(good.delay_ms);
  }
  send(response, chunk({}, good.finish ?? "stop"));
  const usage = good.usage === undefined ? { prompt_tokens: 11, completion_tokens: 7 } : good.usage;
  if (usage !== null) send(response, { model: "stub-model", choices: [], usage });
  if (!good.stays_open) response.end("data: [DONE]\n\n");
}

function streamCall(call: Extract<StubBehavior, { kind: "tool_call" }>, response: ServerResponse): void {
  openStream(response);
  if (call.text !== undefined) sendText(response, call.text);
  const head = { index: 0, id: "call_1", type: "function", function: { name: call.name, arguments: "" } };
  send(response, chunk({ tool_calls: [head] }, null));
  for (const part of splitChunks(call.arguments))
    send(response, chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }, null));
  send(response, chunk({}, "tool_calls"));
  response.end("data: [DONE]\n\n");
}

const splitChunks = (text: string): string[] => text.match(/[\s\S]{1,8}/gu) ?? [];
const openStream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const send = (response: ServerResponse, event: unknown): void =>
  void response.write(`data: ${JSON.stringify(event)}\n\n`);
const sendText = (response: ServerResponse, text: string): void => send(response, chunk({ content: text }, null));
const chunk = (delta: Record<string, unknown>, finish_reason: string | null) => ({
  model: "stub-model",
  choices: [{ index: 0, delta, finish_reason }],
});
/** Waits long enough to flush the written data before the connection is closed. */
const waitForFlush = (): Promise<void> => wait(30);

async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of incoming) text += String(part);
  return text;
}
