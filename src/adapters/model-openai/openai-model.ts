// A model behind any API that speaks OpenAI's chat completions. Brings back text; what it means is the caller's to judge.
import type { Clock } from "../../ports/clock.ts";
import type { Model, ModelMessage, ModelReply, ModelRequest, Prices } from "../../ports/model.ts";
import { type Failed, ok, type Result, unreachable } from "../../schema/problem.ts";
import { attempt, type Body, type Outcome } from "./attempt.ts";
import { backoffMs } from "./backoff.ts";
import { type Dialect, dialectFields, firstDialect, type Structured, simpler } from "./dialect.ts";
import { type Failure, temporary } from "./failure.ts";
import type { Reading } from "./read-reply.ts";
import { alternateRoles } from "./roles.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { systemClock } from "./system-clock.ts";
import { startWatch } from "./watch.ts";
import { discardReason, misconfigured, type Named, stopped, unavailable } from "./wording.ts";

export type OpenAiModelOptions = {
  /** Its name in the configuration. */
  readonly name: string;
  /** The provider's name in the configuration; the host of base_url when there is none. */
  readonly provider?: string;
  readonly base_url: string;
  /** null for a server that wants none. */
  readonly api_key: string | null;
  /** What the provider calls the model. */
  readonly model: string;
  readonly window: number;
  readonly max_output_tokens: number;
  readonly prices?: Prices | null;
  readonly roles?: "strict" | "loose";
  readonly structured?: Structured;
  readonly idle_timeout_ms?: number;
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  /** 0 to 1; spreads the waits of many callers. */
  readonly random?: () => number;
};

const TRIES = 3;
export const IDLE_TIMEOUT_MS = 30_000;

export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const structured = options.structured ?? "auto";
  const named: Named = { ...options, provider: options.provider ?? new URL(options.base_url).host };
  let dialect: Dialect = firstDialect(structured, options.base_url);
  let sdk: Promise<Sdk> | null = null;

  async function reply(request: ModelRequest): Promise<Result<ModelReply>> {
    let failures = 0;
    let before: string | null = null;
    while (!request.signal.aborted && clock.now() < request.deadline) {
      const used = dialect;
      const outcome = await tryOnce(request, used);
      switch (outcome.kind) {
        case "reply":
          return ok(replyOf(outcome.reading, options.model));
        case "stopped":
          return stopped(named, outcome.cause, before);
        case "refused": {
          const next = simpler(used, outcome, structured, request.schema !== null);
          if (next === null) return misconfigured(named, outcome);
          dialect = next; // Kept for every later request: the lesson cost one.
          break;
        }
        case "temporary": {
          failures += 1;
          before = outcome.what;
          const gaveUp = await waitOrGiveUp(request, outcome, failures);
          if (gaveUp !== null) return gaveUp;
          break;
        }
        default:
          return unreachable(outcome);
      }
    }
    return stopped(named, request.signal.aborted ? "abort" : "deadline", before);
  }

  async function tryOnce(request: ModelRequest, used: Dialect): Promise<Outcome> {
    let streamed = false;
    const onText = (delta: string): void => {
      streamed = true;
      request.onText?.(delta);
    };
    const watch = startWatch({
      clock,
      signal: request.signal,
      deadline: request.deadline,
      idle_ms: options.idle_timeout_ms ?? IDLE_TIMEOUT_MS,
    });
    const outcome = await load()
      .then((loaded) => attempt({ sdk: loaded, body: bodyOf(request, used, options), watch, clock, onText }))
      .catch((error: unknown) => temporary(`could not be asked: ${String(error)}`));
    watch.end();
    if (streamed && outcome.kind !== "reply") request.onDiscard?.(discardReason(outcome));
    return outcome;
  }

  function load(): Promise<Sdk> {
    sdk ??= loadSdk(options);
    return sdk;
  }

  async function waitOrGiveUp(
    request: ModelRequest,
    failure: Extract<Failure, { kind: "temporary" }>,
    failures: number,
  ): Promise<Failed | null> {
    const wait = Math.max(failure.retry_after_ms ?? 0, backoffMs(failures, random()));
    if (failures >= TRIES) return unavailable(named, failure.what, failures, failure.retry_after_ms);
    if (clock.now() + wait >= request.deadline) return unavailable(named, failure.what, failures, wait);
    await clock.sleep(wait, request.signal);
    return null;
  }

  return {
    name: options.name,
    window: options.window,
    max_output_tokens: options.max_output_tokens,
    prices: options.prices ?? null,
    reply,
  };
}

function bodyOf(request: ModelRequest, dialect: Dialect, options: OpenAiModelOptions): Body {
  const messages: readonly ModelMessage[] =
    options.roles === "strict" ? alternateRoles(request.messages) : request.messages;
  const limit = Math.min(request.max_output_tokens, options.max_output_tokens);
  return {
    model: options.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    ...dialectFields(dialect, request, limit),
  };
}

/** A refusal comes back as text: it is no decision, and the caller answers it like any other. */
const replyOf = (reading: Reading, asked: string): ModelReply => ({
  text: reading.text === "" ? reading.refusal : reading.text,
  model: reading.model ?? asked,
  usage: reading.usage,
});
