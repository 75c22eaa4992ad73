// Defines the names of OpenTelemetry's conventions for generative AI, which are still in development, and Pawl's own
// names.
export const GEN_AI = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  requestModel: "gen_ai.request.model",
  responseModel: "gen_ai.response.model",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  toolName: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  toolType: "gen_ai.tool.type",
  tokenType: "gen_ai.token.type",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  systemInstructions: "gen_ai.system_instructions",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  duration: "gen_ai.client.operation.duration",
  tokens: "gen_ai.client.token.usage",
} as const;

export const PAWL = {
  version: "pawl.thread.version",
  turn: "pawl.turn",
  state: "pawl.thread.state",
  gate: "pawl.gate.kind",
  purpose: "pawl.model.purpose",
  receipt: "pawl.receipt.id",
} as const;

/**
 * The only attributes that are passed when a span is created, so a sampler can use them besides the name of the span.
 * All others are set later, because the SDK checks attributes twice if they are passed at creation.
 */
export const OPERATIONS = {
  plan: { [GEN_AI.operation]: "plan" },
  invoke_agent: { [GEN_AI.operation]: "invoke_agent" },
  chat: { [GEN_AI.operation]: "chat" },
  execute_tool: { [GEN_AI.operation]: "execute_tool" },
} as const;
