// Sends one request to the model within the turn's deadline, with listeners for its text. Does not interpret the reply.
import { startTimer } from "../../ports/clock.ts";
import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import type { Prompt } from "../../prompt/build-prompt.ts";
import { replySchema } from "../../prompt/reply-schema.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { TurnContext } from "../context.ts";
import type { TurnRequest } from "../runtime.ts";
import { createSpeakStream, createTextStream, type SpeakStream } from "./speak-stream.ts";

type Speaker = Pick<TurnRequest, "at" | "emit">;

export type Listener = { readonly onText: (delta: string) => void; readonly discard: (reason: string) => void };

type OpenStream = (emit: (text: string) => void, retract: () => void) => SpeakStream;

function listener(request: Speaker, turn: number, open: OpenStream): Listener {
  const source = { thread: request.at.thread, turn };
  const discarded = (reason: string) => void request.emit({ type: "speak.discarded", ...source, reason });
  const listen = () =>
    open(
      (text) => request.emit({ type: "speak.delta", ...source, text }),
      () => discarded("It was a thought."),
    );
  // Most replies of models that do not stream have no text to listen to.
  let stream: SpeakStream | null = null;
  return {
    onText: (delta) => {
      stream ??= listen();
      stream.write(delta);
    },
    discard: (reason) => {
      if (stream?.hasEmitted()) discarded(reason);
      stream = null;
    },
  };
}

/** Receives JSON and emits only the text of `speak`. */
export const listenForSpeech = (request: Speaker, turn: number): Listener => listener(request, turn, createSpeakStream);

/** Receives plain text and emits all of it. */
export const listenForProse = (request: Speaker, turn: number): Listener => listener(request, turn, createTextStream);

/** Calls `think` with a signal that is aborted once its result can no longer be stored. */
export async function withSupersededSignal<T>(
  { rt, request, thread }: Pick<TurnContext, "rt" | "request" | "thread">,
  think: (superseded: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const watch = rt.in_flight?.watch(request.at, thread.version);
  try {
    return await think(watch?.signal);
  } finally {
    watch?.end();
  }
}

export async function askModel(
  { rt, request, thread, superseded, observation }: TurnContext,
  { model, purpose }: { readonly model: Model; readonly purpose: Purpose },
  messages: Prompt["messages"],
  listener: Listener,
): Promise<Result<ModelReply>> {
  await rt.faults.at("model.before");
  if (superseded?.aborted) return superseded.reason as Failed;
  const abort = new AbortController();
  const timer = startTimer(rt.clock, Math.max(0, request.deadline - rt.clock.now()));
  const timeout = timer.cancelled.then((cancelled) => {
    // The reply has arrived, so there is nothing left to abort.
    if (!cancelled) abort.abort();
    return fail("turn_deadline", "The model did not answer before the turn's deadline.");
  });
  const supersededWatch = watchSuperseded(superseded, () => {
    abort.abort();
    // Before the text of the turn that committed first is sent, so that only that text remains.
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
  observation?.model_calls.push({
    model: model.name,
    response_model: reply.ok ? reply.value.model : null,
    purpose,
    started,
    ended: rt.clock.now(),
    usage: reply.ok ? reply.value.usage : null,
    problem: reply.ok ? null : reply.problem.code,
    content: rt.metrics?.content ? { messages, text: reply.ok ? reply.value.text : null } : null,
  });
  if (!reply.ok) listener.discard(reply.problem.message);
  await rt.faults.at("model.after");
  return reply;
}

/** Without a signal, `aborted` never resolves. */
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
