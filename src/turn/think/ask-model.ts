// One request to the model under the turn's deadline, with listeners for its text. The reply is not interpreted here.
import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import type { Prompt } from "../../prompt/build-prompt.ts";
import { replySchema } from "../../prompt/reply-schema.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { TurnContext } from "../context.ts";
import type { TurnRequest } from "../runtime.ts";
import { createSpeakStream, wholeCharacters } from "./speak-stream.ts";

type Speaker = Pick<TurnRequest, "at" | "emit">;

export type Listener = { readonly onText: (delta: string) => void; readonly discard: (reason: string) => void };

/** Hears JSON and lets only its speech through. */
export function listenForSpeech(request: Speaker, turn: number): Listener {
  const place = { thread: request.at.thread, turn };
  const discarded = (reason: string) => void request.emit({ type: "speak.discarded", ...place, reason });
  const listen = () =>
    createSpeakStream(
      (text) => request.emit({ type: "speak.delta", ...place, text }),
      () => discarded("It was a thought."),
    );
  let stream = listen();
  return {
    onText: (delta) => stream.write(delta),
    discard: (reason) => {
      if (stream.spoke()) discarded(reason);
      stream = listen();
    },
  };
}

/** Hears prose. */
export function listenForProse(request: Speaker, turn: number): Listener {
  const place = { thread: request.at.thread, turn };
  let spoke = false;
  const listen = () =>
    wholeCharacters((text) => {
      spoke = true;
      request.emit({ type: "speak.delta", ...place, text });
    });
  let emitText = listen();
  return {
    onText: (text) => emitText(text),
    discard: (reason) => {
      if (spoke) request.emit({ type: "speak.discarded", ...place, reason });
      spoke = false;
      emitText = listen();
    },
  };
}

export async function askModel(
  { rt, request, superseded }: TurnContext,
  { model, purpose }: { readonly model: Model; readonly purpose: Purpose },
  messages: Prompt["messages"],
  listener: Listener,
): Promise<Result<ModelReply>> {
  await rt.faults.at("model.before");
  if (superseded?.aborted) return superseded.reason as Failed;
  const abort = new AbortController();
  const timer = new AbortController();
  const timeout = rt.clock.sleep(Math.max(0, request.deadline - rt.clock.now()), timer.signal).then(() => {
    // Called off: the answer is there, and there is nothing left to stop.
    if (!timer.signal.aborted) abort.abort();
    return fail("turn_deadline", "The model did not answer before the turn's deadline.");
  });
  const supersededWatch = watchSuperseded(superseded, () => {
    abort.abort();
    // At once, before the winner's events are told: its words come after, and they stay.
    listener.discard("Another turn was faster.");
  });
  const pending = model.reply({
    purpose,
    messages,
    schema: replySchema(purpose),
    max_output_tokens: model.max_output_tokens,
    signal: abort.signal,
    deadline: request.deadline,
    onText: (delta) => (abort.signal.aborted ? undefined : listener.onText(delta)),
    onDiscard: listener.discard,
  });
  const reply = await Promise.race([pending, timeout, supersededWatch.lost]);
  supersededWatch.end();
  // Without a reason an error with its stack would be made, for nobody.
  timer.abort(null);
  if (!reply.ok) listener.discard(reply.problem.message);
  await rt.faults.at("model.after");
  return reply;
}

/** `lost` never resolves without a signal. */
function watchSuperseded(
  superseded: AbortSignal | undefined,
  onLost: () => void,
): { readonly lost: Promise<Failed>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<Failed>();
  const onAbort = (): void => {
    onLost();
    resolve(superseded?.reason as Failed);
  };
  superseded?.addEventListener("abort", onAbort);
  return { lost: promise, end: () => superseded?.removeEventListener("abort", onAbort) };
}
