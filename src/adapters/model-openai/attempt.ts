// Makes one attempt, which is one request with one reply or failure. The caller decides whether to retry.
import type { OpenAI } from "openai";
import type { Clock } from "../../ports/clock.ts";
import type { AttemptTimer } from "./attempt-timer.ts";
import { type Failure, failureOf, temporaryFailure } from "./failure.ts";
import { addBody, addChunk, createReplyBuffer, type OnDelta, type ReplyBuffer } from "./reply-buffer.ts";
import type { Sdk } from "./sdk.ts";

export type AttemptResult = { readonly kind: "reply"; readonly buffer: ReplyBuffer } | Failure;
export type RequestBody = OpenAI.ChatCompletionCreateParamsStreaming;

/** Far above the size of any real reply. It keeps a faulty server from exhausting memory. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

export type AttemptOptions = {
  readonly sdk: Sdk;
  readonly body: RequestBody;
  readonly timer: AttemptTimer;
  readonly clock: Clock;
  readonly onDelta: OnDelta;
};

export async function attempt({ sdk, body, timer: watch, clock, onDelta }: AttemptOptions): Promise<AttemptResult> {
  const buffer = createReplyBuffer();
  let responseStarted = false;
  try {
    const response = await sdk.client.chat.completions
      .create(body, { signal: watch.controller.signal, maxRetries: 0 })
      .asResponse();
    responseStarted = true;
    const type = response.headers.get("content-type") ?? "";
    if (/html/i.test(type)) {
      watch.controller.abort();
      return temporaryFailure("answered with an HTML page instead of a reply, so its base_url may be wrong");
    }
    const tracked = withActivityTracking(response, watch);
    if (/json/i.test(type)) addWholeBody(buffer, await tracked.json(), onDelta);
    else
      for await (const chunk of sdk.Stream.fromSSEResponse<unknown>(tracked, watch.controller, sdk.client))
        handleChunk(chunk);
  } catch (error) {
    if (buffer.finish === null && watch.cause() === null) return failureOf(error, clock.now(), responseStarted);
  }
  return resultOf(buffer, watch);

  function handleChunk(chunk: unknown): void {
    const wasOpen = buffer.finish === null;
    addChunk(buffer, chunk, onDelta);
    if (wasOpen && buffer.finish !== null) watch.awaitUsage();
  }
}

function addWholeBody(buffer: ReplyBuffer, body: unknown, onDelta: OnDelta): void {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  // Some gateways respond with 200 and put the error in the body.
  if (error) throw Object.assign(new Error(errorMessage(error)), error, { error });
  addBody(buffer, body, onDelta);
}

const errorMessage = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : JSON.stringify(error);

/** Only a reply with a finish reason counts, because half a decision is useless. */
function resultOf(buffer: ReplyBuffer, timer: AttemptTimer): AttemptResult {
  const cause = timer.cause();
  if (buffer.finish === "error") return temporaryFailure("reported an error at the end of its reply");
  if (buffer.finish !== null) return { kind: "reply", buffer };
  if (cause === "silence") return temporaryFailure("sent no data within the idle timeout");
  if (cause !== null) return { kind: "stopped", cause };
  return temporaryFailure(buffer.text === "" && buffer.call === null ? "sent no reply" : "broke off its reply");
}

/** Every received byte counts as activity. */
function withActivityTracking(response: Response, timer: AttemptTimer): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      timer.recordActivity();
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) out.error(new Error("the reply is larger than 64 MB"));
      else out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { status: response.status, headers: response.headers });
}
