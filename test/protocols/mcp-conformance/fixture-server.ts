// Implements the server that the scenarios of MCP's conformance suite expect, with tools, prompts and resources of
// fixed names and contents.
import type { CallToolResult, InputRequests, McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { McpSdk } from "../../../src/protocols/mcp/elicitation.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const IMAGE = { type: "image", data: PIXEL, mimeType: "image/png" } as const;

type Content = CallToolResult["content"];
const text = (value: string): CallToolResult => ({ content: [{ type: "text", text: value }] });
const resource = (uri: string, mimeType: string, value: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: value } }) as const;
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

export function buildFixtureServer(sdk: McpSdk): McpServer {
  const codec = sdk.createRequestStateCodec<string>({ key: "a key of the tests with 32 bytes" });
  const server = new sdk.McpServer(
    { name: "pawl-conformance", version: "1" },
    {
      capabilities: { logging: {}, completions: {}, resources: { subscribe: true } },
      requestState: { verify: codec.verify },
    },
  );
  addContentTools(server);
  addNotifyingTools(server);
  addAskingTools(server, sdk, codec.mint);
  addResources(server, sdk);
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  addPrompts(server, sdk);
  return server;
}

function addContentTools(server: McpServer): void {
  const contents: Record<string, Content> = {
    test_simple_text: [{ type: "text", text: "This is a simple text response for testing." }],
    test_image_content: [IMAGE],
    test_audio_content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
    test_embedded_resource: [
      resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ],
    test_multiple_content_types: [
      { type: "text", text: "Multiple content types test:" },
      IMAGE,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, { description: `Returns the content of ${name}.` }, () => ({ content: [...content] }));
  server.registerTool("test_error_handling", { description: "Always fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

function addNotifyingTools(server: McpServer): void {
  server.registerTool("test_tool_with_progress", { description: "Reports its progress." }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await pause();
    }
    return text("done");
  });
  const logs = async (ctx: ServerContext): Promise<CallToolResult> => {
    for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", line);
      await pause();
    }
    return text("done");
  };
  server.registerTool("test_tool_with_logging", { description: "Logs three lines." }, logs);
  server.registerTool("test_logging_tool", { description: "Logs three lines." }, logs);
}

const capabilitiesOf = (sdk: McpSdk, ctx: ServerContext): Readonly<Record<string, unknown>> =>
  ((ctx.mcpReq.envelope as Record<string, unknown> | undefined)?.[sdk.CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<
    string,
    unknown
  >;

type Asking = {
  /** The requests of each round. A round without requests ends the call. */
  readonly rounds: readonly Requests[];
  readonly stated: boolean;
  readonly answer: (responses: Readonly<Record<string, unknown>>) => string;
};
type Requests = (sdk: McpSdk, ctx: ServerContext) => InputRequests;

const asks =
  (key: string, message: string, field: string, type = "string"): Requests =>
  (sdk) => ({
    [key]: sdk.inputRequired.elicit({
      message,
      requestedSchema: { type: "object", properties: { [field]: { type } }, required: [field] } as never,
    }),
  });
const samples =
  (key: string, question: string, maxTokens: number): Requests =>
  () => ({
    [key]: {
      method: "sampling/createMessage",
      params: { messages: [{ role: "user", content: { type: "text", text: question } }], maxTokens },
    },
  });
const roots: Requests = () => ({ client_roots: { method: "roots/list", params: {} } });
const asksName = asks("user_name", "What is your name?", "name");
const said = (responses: Readonly<Record<string, unknown>>): string => JSON.stringify(responses);

const ASKING: Readonly<Record<string, Asking>> = {
  test_input_required_result_elicitation: { rounds: [asksName], stated: false, answer: said },
  test_missing_capability: { rounds: [samples("any", "Anything", 10)], stated: false, answer: said },
  test_streaming_elicitation: { rounds: [asksName], stated: false, answer: said },
  test_input_required_result_sampling: {
    rounds: [samples("capital_question", "What is the capital of France?", 100)],
    stated: false,
    answer: said,
  },
  test_input_required_result_list_roots: { rounds: [roots], stated: false, answer: said },
  test_input_required_result_request_state: {
    rounds: [asks("confirm", "Please confirm", "ok", "boolean")],
    stated: true,
    answer: () => "state-ok",
  },
  test_input_required_result_tampered_state: {
    rounds: [asks("confirm", "Please confirm", "ok", "boolean")],
    stated: true,
    answer: () => "state-ok",
  },
  test_input_required_result_multiple_inputs: {
    rounds: [
      (sdk, ctx) => ({
        ...asksName(sdk, ctx),
        ...samples("greeting", "Generate a greeting", 50)(sdk, ctx),
        ...roots(sdk, ctx),
      }),
    ],
    stated: true,
    answer: said,
  },
  test_input_required_result_multi_round: {
    rounds: [
      asks("step1", "Step 1: What is your name?", "name"),
      asks("step2", "Step 2: What is your favorite color?", "color"),
    ],
    stated: true,
    answer: said,
  },
  test_input_required_result_capabilities: {
    rounds: [
      (sdk, ctx) => {
        const { elicitation, sampling } = capabilitiesOf(sdk, ctx);
        return {
          ...(elicitation ? asksName(sdk, ctx) : {}),
          ...(sampling ? samples("greeting", "Generate a greeting", 50)(sdk, ctx) : {}),
        };
      },
    ],
    stated: false,
    answer: said,
  },
};

type Mint = (payload: string, ctx: ServerContext) => Promise<string>;

function addAskingTools(server: McpServer, sdk: McpSdk, mint: Mint): void {
  for (const [name, asking] of Object.entries(ASKING))
    server.registerTool(name, { description: "Asks before it answers." }, async (ctx) => {
      const next = await nextRound(sdk, ctx, asking, mint);
      return next ?? text(asking.answer(ctx.mcpReq.inputResponses ?? {}));
    });
}

/** Runs the first round with unanswered requests. The state says which rounds came before. */
async function nextRound(sdk: McpSdk, ctx: ServerContext, { rounds, stated }: Asking, mint: Mint) {
  const responses = ctx.mcpReq.inputResponses ?? {};
  const before = Number(ctx.mcpReq.requestState() ?? 0);
  const round = rounds[before];
  if (!round) return null;
  const inputRequests = round(sdk, ctx);
  const isAnswered = Object.keys(inputRequests).every((key) => isAnswer(responses[key]));
  const next = isAnswered ? rounds[before + 1]?.(sdk, ctx) : inputRequests;
  if (!next) return null;
  const index = isAnswered ? before + 1 : before;
  return sdk.inputRequired({ inputRequests: next, ...(stated && { requestState: await mint(String(index), ctx) }) });
}

const isAnswer = (response: unknown): boolean => typeof response === "object" && response !== null;

function addResources(server: McpServer, sdk: McpSdk): void {
  server.registerResource("text", "test://static-text", { mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("binary", "test://static-binary", { mimeType: "image/png" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new sdk.ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer, sdk: McpSdk): void {
  const user = (content: Content[number]) => ({ role: "user" as const, content });
  const says = (value: string) => user({ type: "text", text: value });
  server.registerPrompt("test_simple_prompt", { description: "One text." }, () => ({
    messages: [says("This is a simple prompt for testing.")],
  }));
  const word = sdk.completable(z.string(), (start) =>
    ["paris", "park", "party"].filter((one) => one.startsWith(start)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Two arguments.", argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    (args) => ({
      messages: [says(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A resource.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, "text/plain", "Embedded resource content for testing.")),
        says("Please process the embedded resource above."),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "An image." }, () => ({
    messages: [user(IMAGE), says("Please analyze the image above.")],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks first." }, (ctx) => {
    const answer = sdk.acceptedContent(ctx.mcpReq.inputResponses, "user_context");
    if (answer) return { messages: [says(`Context: ${JSON.stringify(answer)}`)] };
    return sdk.inputRequired({
      inputRequests: asks("user_context", "What context should the prompt use?", "context")(sdk, ctx),
    });
  });
}
