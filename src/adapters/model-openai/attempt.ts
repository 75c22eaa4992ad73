// One try: one request, one reply or one failure. Does not decide whether to try again.
import type { OpenAI } from "openai";
import type { Clock } from "../../ports/clock.ts";
import { type Failure, failureOf, temporary } from "./failure.ts";
import { newReading, type Reading, takeBody, takeChunk } from "./read-reply.ts";
import type { Sdk } from "./sdk.ts";
import type { Watch } from "./watch.ts";

export type Outcome = { readonly kind: "reply"; readonly reading: Reading } | Failure;
export type Body = OpenAI.ChatCompletionCreateParamsStreaming;

/** Far above any reply, even one token per event; a server gone mad must not fill the memory. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

export type Try = {
  readonly sdk: Sdk;
  readonly body: Body;
  readonly watch: Watch;
  readonly clock: Clock;
  readonly onText: (delta: string) => void;
};

export async function attempt({ sdk, body, watch, clock, onText }: Try): Promise<Outcome> {
  const reading = newReading();
  let begun = false;
  try {
    const response = await sdk.client.chat.completions
      .create(body, { signal: watch.controller.signal, maxRetries: 0 })
      .asResponse();
    begun = true;
    const type = response.headers.get("content-type") ?? "";
    if (/html/i.test(type)) {
      watch.controller.abort();
      return temporary("answered with an HTML page instead of a reply");
    }
    const heard = listened(response, watch);
    if (/json/i.test(type)) takeWhole(reading, await heard.json(), onText);
    else
      for await (const chunk of sdk.Stream.fromSSEResponse<unknown>(heard, watch.controller, sdk.client)) take(chunk);
  } catch (error) {
    if (reading.finish === null && watch.cause() === null) return failureOf(error, clock.now(), begun);
  }
  return verdict(reading, watch);

  function take(chunk: unknown): void {
    const open = reading.finish === null;
    takeChunk(reading, chunk, onText);
    if (open && reading.finish !== null) watch.settle();
  }
}

function takeWhole(reading: Reading, body: unknown, onText: (delta: string) => void): void {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  // Some gateways say 200 and put the failure into the body.
  if (error) throw Object.assign(new Error(errorMessage(error)), error, { error });
  takeBody(reading, body, onText);
}

const errorMessage = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : JSON.stringify(error);

/** What the end of the line means. Only a reply that says it is finished is one: half a decision is none. */
function verdict(reading: Reading, watch: Watch): Outcome {
  const cause = watch.cause();
  if (reading.finish === "error") return temporary("reported an error at the end of its reply");
  if (reading.finish !== null) return { kind: "reply", reading };
  if (cause === "silence") return temporary("fell silent");
  if (cause !== null) return { kind: "stopped", cause };
  return temporary(reading.text === "" ? "sent no reply" : "broke off its reply");
}

/** The same response, but every byte that comes counts as a sign of life. */
function listened(response: Response, watch: Watch): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      watch.heard();
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) out.error(new Error("the reply is larger than 64 MB"));
      else out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { status: response.status, headers: response.headers });
}
