// Defines the MCP route. The SDK, which is an optional package, is loaded with the first request.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { loadOptional } from "../../http/optional-package.ts";
import type { Answer, Route } from "../../http/route.ts";
import { RpcError } from "../shared/rpc-error.ts";
import { protocolRoute } from "../shared/surface.ts";

export const mcpRoutes: readonly Route[] = [
  protocolRoute("mcp", ["post", "/mcp", "read"], postMcp, {
    id: "mcp",
    summary: "Serve MCP clients",
    description:
      "JSON-RPC of the Model Context Protocol, without sessions: revision 2026-07-28, and clients of 2025. Tools: pawl_run, pawl_show, pawl_gates, pawl_answer. Resources: pawl://threads/{id}. Running and answering needs the scope `advance`.",
    body: z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string() }),
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    responses: { 200: { description: "The JSON-RPC response.", schema: z.looseObject({ jsonrpc: z.string() }) } },
    problems: ["package_missing"],
    problem_body: RpcError,
  }),
];

async function postMcp(c: Ctx): Promise<Answer> {
  const sdk = await loadOptional("@modelcontextprotocol/server", importSdk);
  if (!sdk.ok) return sdk;
  const { serveMcp } = await import("./server.ts");
  return serveMcp(c, sdk.value);
}

/** The `catch` tells bundlers that the package may be missing. */
const importSdk = () =>
  import("@modelcontextprotocol/server").catch((error: unknown) => {
    throw error;
  });
