// Serves a model of this process as a chat completions server for an app in another process, on loopback only.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Model, ModelMessage, Purpose } from "../../src/ports/model.ts";

export type ModelBridge = { readonly base_url: string; readonly close: () => Promise<void> };

const DEADLINE_MS = 60_000;

type CompletionRequest = {
  readonly messages: readonly ModelMessage[];
  readonly response_format?: { readonly json_schema?: { readonly name: string } };
};

/** Derives the purpose from the requested response format. */
const purposeOf = ({ response_format }: CompletionRequest): Purpose => {
  const name = response_format?.json_schema?.name ?? "";
  if (name === "") return "deliver";
  return name.includes("plan") ? "plan" : "execute";
};

/** Starts the bridge. `current` is called for every request. */
export async function startModelBridge(current: () => Model): Promise<ModelBridge> {
  const server = createServer(async (incoming, response) => {
    const completionRequest = JSON.parse(await text(incoming)) as CompletionRequest;
    try {
      await sendCompletion(current(), completionRequest, response);
    } catch (error) {
      // The script did not expect the request, so it is refused permanently and not retried.
      response.writeHead(422, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendCompletion(
  model: Model,
  completionRequest: CompletionRequest,
  response: ServerResponse,
): Promise<void> {
  const pieces: string[] = [];
  const reply = await model.reply({
    purpose: purposeOf(completionRequest),
    messages: completionRequest.messages,
    schema: null,
    max_output_tokens: model.max_output_tokens,
    signal: new AbortController().signal,
    deadline: Date.now() + DEADLINE_MS,
    onText: (piece) => void pieces.push(piece),
  });
  if (!reply.ok) return void response.writeHead(503, { "retry-after": "60" }).end();
  const { text: fullText, model: name, usage } = reply.value;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, more: object = {}): void =>
    void response.write(
      `data: ${JSON.stringify({ model: name, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`,
    );
  for (const content of pieces.length > 0 ? pieces : [fullText]) send({ content });
  send({}, { finish_reason: "stop" });
  if (usage) {
    const { input_tokens: prompt_tokens, output_tokens: completion_tokens } = usage;
    response.write(
      `data: ${JSON.stringify({ model: name, choices: [], usage: { prompt_tokens, completion_tokens } })}\n\n`,
    );
  }
  response.end("data: [DONE]\n\n");
}
