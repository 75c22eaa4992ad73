// Implements the MCP server, whose tools run threads of the caller. A server is created for each request, because no
// state is kept between requests.
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { readText } from "../../http/edge/body.ts";
import type { Ctx } from "../../http/env.ts";
import { respondRefusal } from "../../http/respond.ts";
import { QuestionAnswer } from "../../schema/decision/questions.ts";
import { fail } from "../../schema/problem.ts";
import { readLooseJson, repairSurrogates } from "../shared/loose-json.ts";
import { HISTORY_BYTES_MAX } from "../shared/respond.ts";
import type { McpSdk } from "./elicitation.ts";
import { errorBody, withProblems } from "./errors.ts";
import { failed } from "./results.ts";
import { answerGate, listGates, listThreads, runTool, showThread } from "./tools.ts";

const RunInput = z.object({
  goal: z.string().optional().describe("What a new thread has to do."),
  thread: z.string().optional().describe("An existing thread, or any id of yours for one."),
  message: z.string().optional().describe("A message for that thread; without it, the thread goes on."),
  agent: z.string().optional(),
});
const ThreadInput = z.object({ thread: z.string() });
const AnswerInput = z.object({
  thread: z.string(),
  gate_id: z.string(),
  approved: z.boolean().optional(),
  digest: z.string().optional(),
  text: z.string().optional(),
  answers: z.array(QuestionAnswer).optional(),
  outcome: z.string().optional(),
  output: z.unknown().optional().describe("The result of a call that a gate of kind external waits for."),
  error: z.string().min(1).optional().describe("Instead of output: why that call failed."),
  reason: z.string().optional(),
});

/** The conformance suite passes another `build`. */
export async function serveMcp(c: Ctx, sdk: McpSdk, build = buildServer): Promise<Response> {
  // The SDK does not limit the size of a body or the time to read it.
  const text = await readText(c, HISTORY_BYTES_MAX);
  if (!text.ok) return respondRefusal(c, text.problem, errorBody(text.problem));
  const json = readLooseJson(text.value);
  if (!json.ok) return respondRefusal(c, json.problem, errorBody(json.problem));
  const { url, method, signal } = c.req.raw;
  const headers = new Headers(c.req.raw.headers);
  headers.delete("content-length");
  const handler = sdk.createMcpHandler(() => build(c, sdk));
  const answer = await handler.fetch(new Request(url, { method, headers, signal, body: repairSurrogates(text.value) }));
  return withProblems(answer, (code) => c.set("problem_code", code));
}

/**
 * The SDK only describes the schema to clients. The handler validates, because an error of the SDK has no problem code.
 */
const described = <S extends z.ZodType>(schema: S): S =>
  ({ "~standard": { ...schema["~standard"], validate: (value: unknown) => ({ value }) } }) as unknown as S;

function checked<S extends z.ZodType, R>(schema: S, run: (input: z.infer<S>, ctx: ServerContext) => Promise<R>) {
  return async (input: unknown, ctx: ServerContext): Promise<R | CallToolResult> => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return run(parsed.data, ctx);
    const issue = parsed.error.issues[0];
    const field = issue?.path.join(".") || "arguments";
    return failed(fail("request_invalid", `${field}: ${issue?.message ?? "is not valid"}`, { field }).problem);
  };
}

/** No notifications of changed lists, because there are no lasting connections. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } };

function buildServer(c: Ctx, sdk: McpSdk): McpServer {
  const server = new sdk.McpServer({ name: "pawl", version: c.get("options").release }, { capabilities: CAPABILITIES });
  server.registerTool(
    "pawl_run",
    {
      description: "Runs a thread until it needs input, ends or fails. Give a goal, or a thread and a message.",
      inputSchema: described(RunInput),
    },
    checked(RunInput, (input, ctx) => runTool({ c, sdk, ctx }, input)),
  );
  server.registerTool(
    "pawl_show",
    {
      description: "Shows the state of a thread.",
      inputSchema: described(ThreadInput),
      annotations: { readOnlyHint: true },
    },
    checked(ThreadInput, ({ thread }) => showThread(c, thread)),
  );
  server.registerTool(
    "pawl_gates",
    { description: "Lists what waits for a person, in all threads.", annotations: { readOnlyHint: true } },
    () => listGates(c),
  );
  server.registerTool(
    "pawl_answer",
    {
      description:
        "Answers a question. Approvals are accepted only if the server allows it for this key; otherwise a person decides in the console.",
      inputSchema: described(AnswerInput),
    },
    checked(AnswerInput, (input, ctx) => answerGate({ c, ctx }, input)),
  );
  server.registerResource(
    "thread",
    new sdk.ResourceTemplate("pawl://threads/{id}", { list: async () => ({ resources: await listThreads(c, sdk) }) }),
    { description: "The state of a thread.", mimeType: "application/json" },
    async (uri, { id }) => {
      const shown = await showThread(c, String(id));
      if (shown.isError) throw new sdk.ResourceNotFoundError(uri.href);
      return {
        contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(shown.structuredContent) }],
      };
    },
  );
  return server;
}
