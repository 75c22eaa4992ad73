// Converts a tool of an MCP server to a tool of this runtime, with a name, a manifest and a version.
import * as z from "zod";
import type { McpTool } from "../../ports/data/mcp-server.ts";
import type { Hash } from "../../ports/hash.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";
import { checkableSchema } from "../../schema/json/checkable-schema.ts";
import { contentVersion } from "../../tools/declared/content-version.ts";
import type { ToolSpec } from "../../tools/define-tool.ts";
import { escapeHidden } from "../../tools/redaction/escape-hidden.ts";
import { truncateChars } from "../../tools/truncate-text.ts";

const NAME_CHARS = 64;
const DESCRIPTION_CHARS = 1_024;

/** Converts a tool's name to Pawl's naming rules. A name that is too long is truncated and ends with a hash. */
export function mcpToolName(hash: Hash, server: string, tool: string): string {
  const snake = tool
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const name = `mcp_${server}_${snake || "tool"}`;
  return name.length <= NAME_CHARS ? name : `${name.slice(0, NAME_CHARS - 9)}_${hash.sha256(tool).slice(0, 8)}`;
}

export type DefinitionOptions = {
  readonly hash: Hash;
  readonly server: string;
  readonly read_only: boolean;
  /** True if the operator has not reviewed these definitions. */
  readonly unreviewed: boolean;
  readonly timeout_ms: number;
};

/** One digest of the definitions of all tools, whatever their order. */
export const definitionsDigest = (hash: Hash, tools: readonly McpTool[]): string =>
  hash.sha256(canonicalJson(tools.map((tool) => canonicalJson(tool)).sort()));

/** The model sees the server's description, but only the configuration can mark a tool as read-only. */
export function mcpManifest(tool: McpTool, { hash, server, read_only, unreviewed, timeout_ms }: DefinitionOptions) {
  const description = truncateChars(escapeHidden(tool.description || tool.name), DESCRIPTION_CHARS);
  return {
    name: mcpToolName(hash, server, tool.name),
    description: `${description} (MCP server ${server})`,
    version: contentVersion(hash, { ...tool, read_only }),
    origin: "mcp",
    toolset: "mcp",
    category: "mcp",
    permission: read_only ? "READ" : "EXTERNAL",
    scope: "NETWORK",
    effect: read_only ? "pure" : "unkeyed",
    requires_confirmation: !read_only,
    output_trust: "untrusted",
    outward: true,
    unreviewed,
    timeout_ms,
  } as const satisfies Partial<ToolSpec<z.ZodType, z.ZodType>>;
}

/** Null if the schema cannot be read here. */
export function schemaFrom(json: Readonly<Record<string, unknown>>): z.ZodType | null {
  try {
    return z.fromJSONSchema(checkableSchema(json) as z.core.JSONSchema.JSONSchema);
  } catch {
    return null;
  }
}

/** Accepts any object if the schema cannot be read, because the server checks its arguments itself. */
export const argumentSchema = ({ input }: McpTool): z.ZodType => schemaFrom(input) ?? z.looseObject({});
