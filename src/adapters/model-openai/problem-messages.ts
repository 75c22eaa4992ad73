// Builds the problem messages for a failed provider. They say which provider failed, what it reported and what to
// check, but never contain a key.
import { type Failed, fail, unreachable } from "../../schema/problem.ts";
import type { Failure } from "./failure.ts";

export type ModelInfo = {
  readonly name: string;
  readonly model: string;
  readonly provider: string;
  readonly base_url: string;
  readonly api_key: string | null;
};

const QUOTE_CHARS = 300;
/** Used when the provider gives no Retry-After. */
const RETRY_AFTER_S = 5;

type Refused = Extract<Failure, { kind: "refused" }>;

export function misconfigured(info: ModelInfo, refused: Refused): Failed {
  const status = refused.status === null ? "" : ` with ${refused.status}`;
  const quoted = quote(refused.text.replace(/^\d{3}\s+/, ""), info.api_key);
  return fail(
    "model_misconfigured",
    `Provider ${providerLabel(info)} refused model "${info.name}" (${info.model})${status}: ${quoted} ${checkHint(info, refused)}`,
    { provider: info.provider, model: info.name, ...(refused.status === null ? {} : { status: refused.status }) },
  );
}

export function unavailable(info: ModelInfo, what: string, tries: number, wait_ms: number | null): Failed {
  const retry_after_s = wait_ms === null ? RETRY_AFTER_S : Math.max(1, Math.ceil(wait_ms / 1_000));
  return fail(
    "model_unavailable",
    `Provider ${providerLabel(info)} gave no reply after ${tries} ${tries === 1 ? "attempt" : "attempts"}: it ${quote(what, info.api_key)}`,
    { provider: info.provider, model: info.name, tries, retry_after_s },
  );
}

export function stopped(info: ModelInfo, cause: "abort" | "deadline", before: string | null): Failed {
  const ending = cause === "abort" ? "was stopped" : "exceeded its deadline";
  const also = before === null ? "" : ` An earlier attempt failed: it ${quote(before, info.api_key)}`;
  return fail("turn_deadline", `The turn ${ending} while waiting for provider ${providerLabel(info)}.${also}`, {
    provider: info.provider,
    model: info.name,
    cause,
  });
}

function checkHint(info: ModelInfo, { status, code }: Refused): string {
  const { name, provider } = info;
  if (code === "context_length_exceeded") return `Check models.${name}.window: the provider's limit is smaller.`;
  if (code === "insufficient_quota" || code === "billing_hard_limit_reached" || status === 402)
    return `Check your account and its credit with the provider.`;
  switch (status) {
    case 401:
      return `Check the key of providers.${provider} (api_key_env).`;
    case 403:
      return `Check that the key of providers.${provider} may use this model.`;
    case 404:
      return `Check models.${name}.name and providers.${provider}.base_url.`;
    default:
      return `Check models.${name} (name, structured, roles, max_output_tokens).`;
  }
}

const providerLabel = ({ provider, base_url }: ModelInfo): string => {
  const { origin, pathname } = new URL(base_url);
  return `"${provider}" (${origin}${pathname.replace(/\/$/, "")})`;
};

/** Returns one short line without anything that looks like a secret, for logs. */
export function quote(text: string, api_key: string | null): string {
  const known = api_key === null || api_key === "" ? text : text.replaceAll(api_key, "[key]");
  const masked = known.replaceAll(/\b(sk|pk|rk|key|bearer)[-_ ][\w*.-]{8,}/gi, "[key]");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters from a provider's text
  const line = masked.replaceAll(/[\u0000-\u001f\u007f\s]+/g, " ").trim();
  const cut = line.length > QUOTE_CHARS ? `${line.slice(0, QUOTE_CHARS)}…` : line;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

/** Clients may show the reason. */
export function discardReason(failure: Failure): string {
  switch (failure.kind) {
    case "stopped":
      return failure.cause === "abort" ? "the turn was stopped" : "the turn exceeded its deadline";
    case "temporary":
      return "the model's reply broke off";
    case "refused":
      return "the provider refused the request";
    default:
      return unreachable(failure);
  }
}
