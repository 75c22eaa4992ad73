// Replays a script of replies for tests and examples. A request that the script does not expect is a bug and throws.
import type { Clock } from "../ports/clock.ts";
import type { Model, ModelReply, ModelRequest, Prices, Purpose } from "../ports/model.ts";
import { fail, ok, type ProblemCode, type Result } from "../schema/problem.ts";

type Decision = Readonly<Record<string, unknown>>;
type Answer = string | Decision;
type AnswerSource = Answer | ((request: ModelRequest) => Answer);

export type ScriptStep =
  | { readonly reply: AnswerSource; readonly expect?: ScriptExpectation }
  | { readonly fail: ProblemCode; readonly message?: string; readonly details?: Record<string, unknown> }
  /** Waits, then continues with the next entry within the same request. */
  | { readonly delay: number };
export type ScriptExpectation = { readonly purpose?: Purpose; readonly contains?: string | RegExp };
/** An object without `reply`, `fail` or `delay` is a decision and is sent as JSON. */
export type ScriptEntry = AnswerSource | ScriptStep;

export type ScriptedModelOptions = {
  readonly name?: string;
  readonly window?: number;
  readonly max_output_tokens?: number;
  /** Defaults to zero. Null means unknown. */
  readonly prices?: Prices | null;
  /** Required if the script has delays. */
  readonly clock?: Clock;
  /** The size of the chunks passed to onText. */
  readonly chunk_chars?: number;
};

export type ScriptedModel = Model & {
  readonly calls: number;
  readonly requests: readonly ModelRequest[];
  /** Throws if entries are left. Also throws if a request did not match, even if that error was caught. */
  assertSpent(): void;
};

const EXCERPT_CHARS = 600;
const FREE: Prices = { input_per_million: 0, output_per_million: 0 };

export function createScriptedModel(script: Iterable<ScriptEntry>, options: ScriptedModelOptions = {}): ScriptedModel {
  const name = options.name ?? "scripted";
  const entries = script[Symbol.iterator]();
  const requests: ModelRequest[] = [];
  let failure: Error | null = null;

  function scriptError(request: ModelRequest, why: string): Error {
    const state = request.messages.at(-1)?.content ?? "(no messages)";
    failure ??= new Error(
      `The scripted model "${name}" at request ${requests.length} (${request.purpose}): ${why}\nThe last message was:\n${state.slice(0, EXCERPT_CHARS)}`,
    );
    return failure;
  }

  async function next(request: ModelRequest): Promise<Exclude<ScriptStep, { delay: number }> | Result<never>> {
    for (;;) {
      const taken = entries.next();
      if (taken.done) throw scriptError(request, "the script has no entry left.");
      const step = asStep(taken.value);
      if (!("delay" in step)) return step;
      if (options.clock === undefined) throw scriptError(request, "a delay in the script needs options.clock.");
      const { clock } = options;
      const left = Math.max(0, request.deadline - clock.now());
      await clock.sleep(Math.min(step.delay, left), request.signal);
      // Compares the delays, because a timer can fire a millisecond before its time.
      if (request.signal.aborted || step.delay >= left) return deadlineExceeded(name);
    }
  }

  async function reply(request: ModelRequest): Promise<Result<ModelReply>> {
    requests.push(request);
    if (failure !== null) throw failure;
    if (request.signal.aborted) return deadlineExceeded(name);
    const step = await next(request);
    if ("ok" in step) return step;
    if ("fail" in step) return fail(step.fail, step.message ?? `The script says ${step.fail}.`, step.details);
    const unmet = step.expect === undefined ? null : unmetExpectation(step.expect, request);
    if (unmet !== null) throw scriptError(request, unmet);
    const answer = typeof step.reply === "function" ? step.reply(request) : step.reply;
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    if (request.onText !== undefined) for (const chunk of chunks(text, options.chunk_chars ?? 7)) request.onText(chunk);
    return ok({ text, model: name, usage: usageOf(request, text) });
  }

  return {
    name,
    window: options.window ?? 32_768,
    max_output_tokens: options.max_output_tokens ?? 2_048,
    prices: options.prices === undefined ? FREE : options.prices,
    requests,
    get calls() {
      return requests.length;
    },
    reply,
    assertSpent() {
      if (failure !== null) throw failure;
      const left = entries.next();
      if (!left.done) throw new Error(`The scripted model "${name}" still has: ${JSON.stringify(asStep(left.value))}`);
    },
  };
}

function asStep(entry: ScriptEntry): ScriptStep {
  if (typeof entry === "string" || typeof entry === "function") return { reply: entry };
  if ("reply" in entry || "fail" in entry || "delay" in entry) return entry as ScriptStep;
  if ("expect" in entry) throw new Error(`A script entry with expect needs a reply: ${JSON.stringify(entry)}`);
  return { reply: entry };
}

function unmetExpectation({ purpose, contains }: ScriptExpectation, request: ModelRequest): string | null {
  if (purpose !== undefined && purpose !== request.purpose) return `the script expects the purpose ${purpose}.`;
  if (contains === undefined) return null;
  const prompt = request.messages.map((message) => message.content).join("\n");
  // Creates a new RegExp, because one with the flag g would keep its lastIndex.
  const found = typeof contains === "string" ? prompt.includes(contains) : new RegExp(contains).test(prompt);
  return found ? null : `the script expects the prompt to contain ${JSON.stringify(String(contains))}.`;
}

const deadlineExceeded = (name: string) =>
  fail("turn_deadline", `The turn exceeded its deadline while waiting for model "${name}".`);

/** Derives the usage from the text length, so that budgets in tests are deterministic. */
const usageOf = (request: ModelRequest, text: string) => ({
  input_tokens: Math.ceil(request.messages.reduce((sum, message) => sum + message.content.length, 0) / 4),
  output_tokens: Math.ceil(text.length / 4),
});

function* chunks(text: string, chars: number): Generator<string> {
  const characters = [...text];
  for (let i = 0; i < characters.length; i += chars) yield characters.slice(i, i + chars).join("");
}
