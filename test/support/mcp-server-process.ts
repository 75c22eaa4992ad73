// Runs an MCP server as a separate process, built on the official package, over HTTP with a port that it prints or with
// `stdio` over its standard input. It writes its notes to a folder and reads the description of its tool from it.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [folder = ".", mode = "http"] = process.argv.slice(2);
const notes = join(folder, "notes.txt");
const description = (): string =>
  existsSync(join(folder, "description.txt")) ? readFileSync(join(folder, "description.txt"), "utf8") : "Adds a note.";
const say = (text: string, isError = false) => ({ content: [{ type: "text" as const, text }], isError });

function buildServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const Line = z.object({ line: z.string() });
  server.registerTool("addNote", { description: description(), inputSchema: Line }, ({ line }) => {
    appendFileSync(notes, `${line}\n`);
    return say(`Added ${line}.`);
  });
  server.registerTool("read.notes", { description: "Reads all notes.", inputSchema: z.object({}) }, () =>
    say(existsSync(notes) ? readFileSync(notes, "utf8") : "There is no note."),
  );
  server.registerTool("variables", { description: "Names its variables.", inputSchema: z.object({}) }, () =>
    say(Object.keys(process.env).sort().join(" ")),
  );
  server.registerTool("refuse", { description: "Always fails.", inputSchema: z.object({}) }, () =>
    say("The disk is full.", true),
  );
  server.registerTool("vanish", { description: "Ends the server.", inputSchema: z.object({}) }, () => {
    appendFileSync(notes, "vanished\n");
    process.exit(1);
  });
  server.registerTool("book", { description: "Books a table.", inputSchema: z.object({ day: z.string() }) }, ((
    { day }: { day: string },
    ctx: { mcpReq: { inputResponses?: Record<string, { action: string; content?: { seats?: number } }> } },
  ) => {
    const answer = ctx.mcpReq.inputResponses?.seats;
    if (answer?.action === "decline") return say("Nothing was booked.");
    if (answer) {
      appendFileSync(notes, `table on ${day} for ${answer.content?.seats}\n`);
      return say(`Booked for ${answer.content?.seats}.`);
    }
    const requestedSchema = {
      type: "object" as const,
      properties: { seats: { type: "integer" as const, minimum: 1 } },
      required: ["seats"],
    };
    return inputRequired({
      inputRequests: { seats: inputRequired.elicit({ message: "How many seats?", requestedSchema }) },
      requestState: JSON.stringify({ day }),
    });
  }) as never);
  return server;
}

if (mode === "stdio") serveStdio(buildServer);
else {
  const handler = createMcpHandler(buildServer);
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    if (process.env.NOTES_TOKEN && headers.get("authorization") !== process.env.NOTES_TOKEN)
      return response.writeHead(401).end();
    const body = request.method === "GET" ? undefined : Buffer.concat(chunks).toString();
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handler.fetch(
      new Request(url, { method: request.method ?? "GET", headers, ...(body && { body }) }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  http.listen(Number(process.env.NOTES_PORT ?? 0), "127.0.0.1", () => {
    const address = http.address();
    console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`);
  });
}
