// Implements a model behind any OpenAI-compatible chat completions API. It returns text, and the caller interprets it.
import { backoffMs } from "../../ports/backoff.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  alternateRoles,
  type Model,
  type ModelReply,
  type ModelRequest,
  type Prices,
  type ReplyTrouble,
} from "../../ports/model.ts";
import { type Failed, ok, type Result, unreachable } from "../../schema/problem.ts";
import { type AttemptResult, attempt, type RequestBody } from "./attempt.ts";
import { startAttemptTimer } from "./attempt-timer.ts";
import { MODEL_BACKOFF } from "./backoff.ts";
import {
  capabilityFields,
  DECIDE,
  initialCapabilities,
  type ProviderCapabilities,
  reducedCapabilities,
  type StructuredOutput,
} from "./capabilities.ts";
import { type Failure, temporaryFailure } from "./failure.ts";
import { discardReason, type ModelInfo, misconfigured, stopped, unavailable } from "./problem-messages.ts";
import type { OnDelta, ReplyBuffer } from "./reply-buffer.ts";
import { loadSdk, type Sdk } from "./sdk.ts";

export type OpenAiModelOptions = {
  /** The model's name in the configuration. */
  readonly name: string;
  /** The provider's name in the configuration. Defaults to the host of base_url. */
  readonly provider?: string;
  readonly base_url: string;
  /** Null for a server that needs no key. */
  readonly api_key: string | null;
  /** The provider's name for the model. */
  readonly model: string;
  readonly window: number;
  readonly max_output_tokens: number;
  readonly prices?: Prices | null;
  readonly roles?: "strict" | "loose";
  readonly structured?: StructuredOutput;
  /** With "tools", the decision is offered as a native call of the one tool `decide`. */
  readonly decisions?: "json" | "tools";
  readonly idle_timeout_ms?: number;
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  /** From 0 to 1. Spreads the retries of many callers. */
  readonly random?: () => number;
};

const MAX_ATTEMPTS = 3;
export const IDLE_TIMEOUT_MS = 30_000;

export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const structured = options.structured ?? "auto";
  const modelInfo: ModelInfo = { ...options, provider: options.provider ?? new URL(options.base_url).host };
  let capabilities: ProviderCapabilities = initialCapabilities({ ...options, structured }, options.base_url);
  let sdk: Promise<Sdk> | null = null;

  async function reply(request: ModelRequest): Promise<Result<ModelReply>> {
    let failures = 0;
    let previousFailure: string | null = null;
    while (!request.signal.aborted && clock.now() < request.deadline) {
      const used = capabilities;
      const result = await tryOnce(request, used);
      switch (result.kind) {
        case "reply":
          return ok({
            ...replyOf(result.buffer, request, { ...options, offersTool: offersTool(request, used) }),
            ...(used.alternate && { roles: "alternating" as const }),
          });
        case "stopped":
          return stopped(modelInfo, result.cause, previousFailure);
        case "refused": {
          const next = reducedCapabilities(used, result, structured, request.schema !== null);
          if (next === null) return misconfigured(modelInfo, result);
          capabilities = next; // Kept for later requests, because each refusal costs a request.
          break;
        }
        case "temporary": {
          failures += 1;
          previousFailure = result.reason;
          const gaveUp = await waitOrGiveUp(request, result, failures);
          if (gaveUp !== null) return gaveUp;
          break;
        }
        default:
          return unreachable(result);
      }
    }
    return stopped(modelInfo, request.signal.aborted ? "abort" : "deadline", previousFailure);
  }

  async function tryOnce(request: ModelRequest, used: ProviderCapabilities): Promise<AttemptResult> {
    let streamed = false;
    // Output other than the decision is not streamed.
    const awaited = offersTool(request, used) ? "call" : "text";
    const onDelta: OnDelta = (delta, part) => {
      if (part !== awaited) return;
      streamed = true;
      request.onText?.(delta);
    };
    const { signal, deadline } = request;
    const idle_ms = options.idle_timeout_ms ?? IDLE_TIMEOUT_MS;
    const timer = startAttemptTimer({ clock, signal, deadline, idle_ms });
    const result = await load()
      .then((loaded) => attempt({ sdk: loaded, body: bodyOf(request, used, options), timer, clock, onDelta }))
      .catch((error: unknown) => temporaryFailure(`could not be called: ${String(error)}`));
    timer.dispose();
    if (streamed && result.kind !== "reply") request.onDiscard?.(discardReason(result));
    return result;
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
    const wait = Math.max(failure.retry_after_ms ?? 0, Math.round(backoffMs(MODEL_BACKOFF, failures, random())));
    if (failures >= MAX_ATTEMPTS) return unavailable(modelInfo, failure.reason, failures, failure.retry_after_ms);
    if (clock.now() + wait >= request.deadline) return unavailable(modelInfo, failure.reason, failures, wait);
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

function bodyOf(request: ModelRequest, capabilities: ProviderCapabilities, options: OpenAiModelOptions): RequestBody {
  const messages = capabilities.alternate ? alternateRoles(request.messages) : request.messages;
  const limit = Math.min(request.max_output_tokens, options.max_output_tokens);
  return {
    model: options.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    ...capabilityFields(capabilities, request, limit),
  };
}

const offersTool = ({ schema }: ModelRequest, { tool }: ProviderCapabilities): boolean =>
  tool !== "off" && schema !== null;

type Asked = Pick<OpenAiModelOptions, "model" | "max_output_tokens"> & { readonly offersTool: boolean };

/** A refusal is returned as text, because the caller corrects it like any other invalid reply. */
function replyOf(buffer: ReplyBuffer, request: ModelRequest, options: Asked): ModelReply {
  const decided = request.schema !== null && buffer.call?.name === DECIDE ? buffer.call.arguments : "";
  const limit = Math.min(request.max_output_tokens, options.max_output_tokens);
  const found = replyTrouble(buffer, decided, limit);
  const trouble = found?.kind === "tool_call" && options.offersTool ? { ...found, offered: DECIDE } : found;
  return {
    text: decided || buffer.text || buffer.refusal,
    model: buffer.model ?? options.model,
    usage: buffer.usage,
    ...(trouble && { trouble }),
  };
}

function replyTrouble(buffer: ReplyBuffer, decided: string, limit: number): ReplyTrouble | null {
  if (buffer.finish === "length") return { kind: "cut_off", limit };
  if (decided !== "") return null;
  if (buffer.finish === "content_filter" || (buffer.text === "" && buffer.refusal !== "")) return { kind: "refused" };
  return buffer.call ? { kind: "tool_call", name: buffer.call.name } : null;
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};
