// Tracks which parts of the API a provider supports, based on its refusals. Capabilities are only ever removed.
import type { ModelRequest } from "../../ports/model.ts";
import { type Failure, mentionsRoles } from "./failure.ts";

export type OutputFormat = "schema" | "json" | "text";
export type StructuredOutput = "auto" | OutputFormat;
type LimitField = "max_tokens" | "max_completion_tokens";

export type ProviderCapabilities = {
  readonly format: OutputFormat;
  /** Names of the field that limits the output. The second is the fallback if the provider rejects the first. */
  readonly limits: readonly [LimitField, ...LimitField[]];
  readonly usage: boolean;
  /** True if messages are rearranged so that the roles user and assistant alternate. */
  readonly alternate: boolean;
  /** How the decision is offered as a native tool. With "off", it is requested as text. */
  readonly tool: ToolChoice;
};
type ToolChoice = "named" | "auto" | "off";

/** The only tool, with which a model returns its decision. */
export const DECIDE = "decide";

type Wanted = {
  readonly structured: StructuredOutput;
  readonly roles?: "strict" | "loose" | undefined;
  readonly decisions?: "json" | "tools" | undefined;
};

export function initialCapabilities({ structured, roles, decisions }: Wanted, base_url: string): ProviderCapabilities {
  const isOpenAi = /(^|\.)(openai\.com|openai\.azure\.com)$/.test(new URL(base_url).hostname);
  return {
    format: structured === "auto" ? "schema" : structured,
    limits: isOpenAi ? ["max_completion_tokens", "max_tokens"] : ["max_tokens", "max_completion_tokens"],
    usage: true,
    alternate: roles === "strict",
    tool: decisions === "tools" ? "named" : "off",
  };
}

/** Null if the refusal does not concern an optional capability. */
export function reducedCapabilities(
  used: ProviderCapabilities,
  refused: Failure,
  structured: StructuredOutput,
  schemaRequested: boolean,
): ProviderCapabilities | null {
  if (refused.kind !== "refused") return null;
  const about = `${refused.code} ${refused.text}`;
  if (!used.alternate && mentionsRoles(about)) return { ...used, alternate: true };
  const offersTool = used.tool !== "off" && schemaRequested;
  const isInvalid = refused.status === 400 || refused.status === 422;
  // A router that finds no provider with tools responds with 404.
  if (
    offersTool &&
    (isInvalid ? mentionsTools(about) : refused.status === 404 && /\btool( use|_choice)\b/i.test(about))
  )
    return { ...used, tool: used.tool === "named" ? "auto" : "off" };
  if (!isInvalid) return null;
  if (used.usage && /stream_options|include_usage/i.test(about)) return { ...used, usage: false };
  const [, ...others] = used.limits;
  const [next, ...more] = others;
  if (next !== undefined && mentionsUnknownLimit(about)) return { ...used, limits: [next, ...more] };
  if (structured !== "auto" || !schemaRequested || used.format === "text") return null;
  return mentionsFormat(about) ? { ...used, format: used.format === "schema" ? "json" : "text" } : null;
}

const mentionsTools = (about: string): boolean => /\btools?\b|tool_choice|function call|functions?\b/i.test(about);

const mentionsUnknownLimit = (about: string): boolean =>
  /max_(completion_)?tokens/i.test(about) &&
  /unsupported|unknown|unrecogni[sz]ed|unexpected|not supported|not permitted|extra/i.test(about);

const mentionsFormat = (about: string): boolean =>
  /response_?format|json_?schema|json_?object|json mode|structured output|guided|grammar/i.test(about);

export function capabilityFields(
  capabilities: ProviderCapabilities,
  { schema }: Pick<ModelRequest, "schema">,
  limit: number,
) {
  const asText = capabilities.tool === "off";
  const [limitField] = capabilities.limits;
  return {
    [limitField]: limit,
    ...(capabilities.usage ? { stream_options: { include_usage: true } } : {}),
    ...(schema !== null && asText && capabilities.format === "json"
      ? { response_format: { type: "json_object" as const } }
      : {}),
    ...(schema !== null && !asText ? toolFields(schema, capabilities.tool) : {}),
    ...(schema !== null && asText && capabilities.format === "schema"
      ? {
          response_format: {
            type: "json_schema" as const,
            json_schema: { name: schema.name, schema: schema.schema, strict: isStrictSchema(schema.schema) },
          },
        }
      : {}),
  };
}

/** The decision is the only tool, so that every reply is a call of it. */
function toolFields(schema: NonNullable<ModelRequest["schema"]>, choice: ToolChoice) {
  const strict = isStrictSchema(schema.schema);
  const description = "Gives your decision. Every reply is exactly one call.";
  return {
    tools: [{ type: "function" as const, function: { name: DECIDE, description, parameters: schema.schema, strict } }],
    tool_choice: choice === "named" ? { type: "function" as const, function: { name: DECIDE } } : ("auto" as const),
  };
}

/** Strict mode needs closed objects whose properties are all required. A looser schema is only a hint. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (typeof schema !== "object" || schema === null) return true;
  const node = schema as Record<string, unknown>;
  const isObject = node.type === "object" || (Array.isArray(node.type) && node.type.includes("object"));
  if (isObject) {
    const names = Object.keys((node.properties ?? {}) as object);
    const required = Array.isArray(node.required) ? node.required : [];
    if (node.additionalProperties !== false || !names.every((name) => required.includes(name))) return false;
  }
  return Object.values(node).every(isStrictSchema);
}
