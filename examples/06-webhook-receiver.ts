// Receives webhooks, verifies their signatures and detects duplicate deliveries.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

type WebhookEvent = {
  readonly type: string;
  readonly data: { readonly thread: string; readonly links?: { confirm: string } };
};
const [host, port] = (process.env.RECEIVER ?? "127.0.0.1:9090").split(":");
const verifier = new Webhook(process.env.WEBHOOK_SECRET ?? "");
const seen = new Set<string>();

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  try {
    const headers = request.headers as Record<string, string>;
    const { type, data } = verifier.verify(body, headers) as WebhookEvent;
    const id = headers["webhook-id"] ?? "";
    const link = data.links ? ` ${data.links.confirm}` : "";
    console.log(`${type} ${id} ${data.thread}${link}${seen.has(id) ? " (again)" : ""}`);
    seen.add(id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end("not signed by Pawl");
  }
}).listen(Number(port), host);
