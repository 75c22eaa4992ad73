// Runs an MCP server over HTTP in this process, which shows the key that it receives.
import { serve } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

export type NotesServer = { readonly url: string; readonly close: () => Promise<void> };

export async function startNotesServer(): Promise<NotesServer> {
  const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
  const answer = (request: Request): Promise<Response> => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "notes", version: "1" });
      const key = request.headers.get("authorization");
      const Page = z.object({ page: z.int() });
      server.registerTool("read", { description: "Reads a page.", inputSchema: Page }, ({ page }) =>
        say(`page ${page} for ${key}`),
      );
      const Line = z.object({ line: z.string() });
      server.registerTool("add", { description: "Adds a line.", inputSchema: Line }, ({ line }) =>
        say(`added ${line}`),
      );
      return server;
    });
    return handler.fetch(request);
  };
  return new Promise((resolve) => {
    const server = serve({ fetch: answer, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}/mcp`,
        close: () => new Promise<void>((closed) => void server.close(() => closed())),
      }),
    );
  });
}
