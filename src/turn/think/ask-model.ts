// One call of the model under the turn's deadline, with somebody listening. No meaning is read here.
import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import { promptSchema } from "../../prompt/reply-schema.ts";
import type { Prompt } from "../../prompt/skeleton.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { createSpeakStream, wholeCharacters } from "./speak-stream.ts";

export type Listener = { readonly onText: (delta: string) => void; readonly discard: (reason: string) => void };

/** Hears JSON and lets only its speech through. */
export function listenForSpeech(call: TurnCall, turn: number): Listener {
  const place = { thread: call.at.thread, turn };
  const discarded = (reason: string) => void call.emit({ type: "speak.discarded", ...place, reason });
  const listen = () =>
    createSpeakStream(
      (text) => call.emit({ type: "speak.delta", ...place, text }),
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
export function listenForProse(call: TurnCall, turn: number): Listener {
  const place = { thread: call.at.thread, turn };
  let spoke = false;
  const listen = () =>
    wholeCharacters((text) => {
      spoke = true;
      call.emit({ type: "speak.delta", ...place, text });
    });
  let say = listen();
  return {
    onText: (text) => say(text),
    discard: (reason) => {
      if (spoke) call.emit({ type: "speak.discarded", ...place, reason });
      spoke = false;
      say = listen();
    },
  };
}

export async function askModel(
  rt: Runtime,
  call: TurnCall,
  model: Model,
  purpose: Purpose,
  messages: Prompt["messages"],
  heard: Listener,
): Promise<Result<ModelReply>> {
  await rt.faults.at("model.before");
  if (call.outrun?.aborted) return call.outrun.reason as Failed;
  const stop = new AbortController();
  const timer = new AbortController();
  const late = rt.clock.sleep(Math.max(0, call.deadline - rt.clock.now()), timer.signal).then(() => {
    // Called off: the answer is there, and there is nothing left to stop.
    if (!timer.signal.aborted) stop.abort();
    return fail("turn_deadline", "The model did not answer before the turn's deadline.");
  });
  const race = watchRace(call, () => {
    stop.abort();
    // At once, before the winner's events are told: its words come after, and they stay.
    heard.discard("Another turn was faster.");
  });
  const asked = model.reply({
    purpose,
    messages,
    schema: promptSchema(purpose),
    max_output_tokens: model.max_output_tokens,
    signal: stop.signal,
    deadline: call.deadline,
    onText: (delta) => (stop.signal.aborted ? undefined : heard.onText(delta)),
    onDiscard: heard.discard,
  });
  const reply = await Promise.race([asked, late, race.lost]);
  race.end();
  // Without a reason an error with its stack would be made, for nobody.
  timer.abort(null);
  if (!reply.ok) heard.discard(reply.problem.message);
  await rt.faults.at("model.after");
  return reply;
}

/** `lost` never comes where nobody tells. */
function watchRace(
  { outrun }: TurnCall,
  onLost: () => void,
): { readonly lost: Promise<Failed>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<Failed>();
  const lose = (): void => {
    onLost();
    resolve(outrun?.reason as Failed);
  };
  outrun?.addEventListener("abort", lose);
  return { lost: promise, end: () => outrun?.removeEventListener("abort", lose) };
}
