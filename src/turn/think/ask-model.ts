// Sends one request to the model within the turn's deadline, with listeners for its text. Does not interpret the reply.
import { startTimer } from "../../ports/clock.ts";
import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import type { Prompt } from "../../prompt/build-prompt.ts";
import { replySchema } from "../../prompt/reply-schema.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { TurnContext } from "../context.ts";
import type { TurnRequest } from "../runtime.ts";
import { createSpeakStream, wholeCharacters } from "./speak-stream.ts";

type Speaker = Pick<TurnRequest, "at" | "emit">;

export type Listener = { readonly onText: (delta: string) => void; readonly discard: (reason: string) => void };

/** Returns a listener that receives JSON and emits only the text of `speak`. */
export function listenForSpeech(request: Speaker, turn: number): Listener {
  const source = { thread: request.at.thread, turn };
  const discarded = (reason: string) => void request.emit({ type: "speak.discarded", ...source, reason });
  const listen = () =>
    createSpeakStream(
      (text) => request.emit({ type: "speak.delta", ...source, text }),
      () => discarded("It was a thought."),
    );
  let stream = listen();
  return {
    onText: (delta) => stream.write(delta),
    discard: (reason) => {
      if (stream.hasEmitted()) discarded(reason);
      stream = listen();
    },
  };
}

/** Returns a listener for plain text. */
export function listenForProse(request: Speaker, turn: number): Listener {
  const source = { thread: request.at.thread, turn };
  let hasEmitted = false;
  const listen = () =>
    wholeCharacters((text) => {
      hasEmitted = true;
      request.emit({ type: "speak.delta", ...source, text });
    });
  let emitText = listen();
  return {
    onText: (text) => emitText(text),
    discard: (reason) => {
      if (hasEmitted) request.emit({ type: "speak.discarded", ...source, reason });
      hasEmitted = false;
      emitText = listen();
    },
  };
}

export async function askModel(
  { rt, request, thread, superseded }: TurnContext,
  { model, purpose }: { readonly model: Model; readonly purpose: Purpose },
  messages: Prompt["messages"],
  listener: Listener,
): Promise<Result<ModelReply>> {
  await rt.faults.at("model.before");
  if (superseded?.aborted) return superseded.reason as Failed;
  const abort = new AbortController();
  const timer = startTimer(rt.clock, Math.max(0, request.deadline - rt.clock.now()));
  const timeout = timer.cancelled.then((cancelled) => {
    // A cancelled timer means that the reply has arrived, so there is nothing left to abort.
    if (!cancelled) abort.abort();
    return fail("turn_deadline", "The model did not answer before the turn's deadline.");
  });
  const supersededWatch = watchSuperseded(superseded, () => {
    abort.abort();
    // Discard this text before the text of the turn that committed first is sent, so that only the latter remains.
    listener.discard("Another turn was faster.");
  });
  const started = rt.clock.now();
  const pending = model.reply({
    purpose,
    messages,
    schema: replySchema(purpose, thread.state),
    max_output_tokens: model.max_output_tokens,
    signal: abort.signal,
    deadline: request.deadline,
    onText: (delta) => (abort.signal.aborted ? undefined : listener.onText(delta)),
    onDiscard: listener.discard,
  });
  const reply = await Promise.race([pending, timeout, supersededWatch.aborted]);
  supersededWatch.end();
  timer.cancel();
  request.options?.onModelCall?.({
    model: model.name,
    purpose,
    started,
    ended: rt.clock.now(),
    messages,
    ...(reply.ok
      ? { response_model: reply.value.model, usage: reply.value.usage, problem: null, text: reply.value.text }
      : { response_model: null, usage: null, problem: reply.problem.code, text: null }),
  });
  if (!reply.ok) listener.discard(reply.problem.message);
  await rt.faults.at("model.after");
  return reply;
}

/** Watches for the turn being superseded. `aborted` never resolves without a signal. */
function watchSuperseded(
  superseded: AbortSignal | undefined,
  onAborted: () => void,
): { readonly aborted: Promise<Failed>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<Failed>();
  const onAbort = (): void => {
    onAborted();
    resolve(superseded?.reason as Failed);
  };
  superseded?.addEventListener("abort", onAbort);
  return { aborted: promise, end: () => superseded?.removeEventListener("abort", onAbort) };
}
