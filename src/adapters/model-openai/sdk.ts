// Loads the SDK on the first request to keep cold starts fast, and overrides the defaults that it reads from the
// environment.
import type { OpenAI } from "openai";
import type { Stream } from "openai/streaming";
import { parseJson } from "../../schema/json/parse-json.ts";
import { asRecord } from "./failure.ts";

export type Sdk = { readonly client: OpenAI; readonly Stream: typeof Stream };
export type SdkOptions = { readonly base_url: string; readonly api_key: string | null; readonly fetch?: typeof fetch };

const ERROR_BODY_CHARS = 2_000;

export async function loadSdk(options: SdkOptions): Promise<Sdk> {
  const [{ OpenAI }, { Stream }] = await Promise.all([import("openai"), import("openai/streaming")]);
  const client = new OpenAI({
    baseURL: options.base_url,
    apiKey: options.api_key ?? "none",
    // Without a key, no header is sent, because some local servers reject a key that they cannot check.
    defaultHeaders: options.api_key === null ? { Authorization: null } : {},
    // The SDK would read these ids from the environment and send one provider's ids to another.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: normalizeErrors(options.fetch ?? fetch),
  });
  return { client, Stream };
}

/** The SDK keeps only `error`, and many compatible servers use another shape. */
function normalizeErrors(base: typeof fetch): typeof fetch {
  return async (url, init) => {
    const response = await base(url, init);
    if (response.ok) return response;
    const error = errorFields(await response.text());
    return new Response(JSON.stringify({ error }), { status: response.status, headers: response.headers });
  };
}

function errorFields(body: string): Record<string, unknown> {
  const parsed = asRecord(parseJson(body) ?? null);
  const inner = typeof parsed.error === "object" && parsed.error !== null ? asRecord(parsed.error) : parsed;
  const message = inner.message ?? inner.detail ?? parsed.error;
  const reason =
    message === undefined ? plainText(body) : typeof message === "string" ? message : JSON.stringify(message);
  return { message: reason.slice(0, ERROR_BODY_CHARS), code: inner.code, type: inner.type, param: inner.param };
}

const plainText = (body: string): string => (/^\s*</.test(body) ? "an HTML page" : body.trim() || "no reason");
