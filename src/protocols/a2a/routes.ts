// Defines the routes of A2A 1.0 over JSON-RPC: one for the agent card and one for all methods. Clients are other
// agents, and no route grants more than the API key of the request does.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import type { Route } from "../../http/route.ts";
import { fail, problem, type Result } from "../../schema/problem.ts";
import { serverAddress } from "../shared/console-address.ts";
import { invalidValue } from "../shared/problems.ts";
import { type Frame, readLooseBody, respondFrames } from "../shared/respond.ts";
import { RpcError } from "../shared/rpc-error.ts";
import { protocolRoute } from "../shared/surface.ts";
import { errorResponse, type RpcErrorKind, type RpcId } from "./errors.ts";
import { ListParams, listTasks } from "./list-tasks.ts";
import { cancelTask, sendMessage, streamMessage, subscribe } from "./methods.ts";
import { GATES_EXTENSION, SendParams, TaskParams } from "./request.ts";
import { findTask, taskBody } from "./task.ts";

const VERSION = "1.0";

const Rpc = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string(),
  params: z.unknown().optional(),
});

export const a2aRoutes: readonly Route[] = [
  protocolRoute("a2a", ["get", "/.well-known/agent-card.json", null], getCard, {
    id: "a2aAgentCard",
    summary: "Describe this server to A2A clients",
    responses: { 200: { description: "The agent card.", schema: z.looseObject({ name: z.string() }) } },
  }),
  protocolRoute("a2a", ["post", "/a2a", "read"], postRpc, {
    id: "a2a",
    summary: "Serve A2A clients",
    description:
      "JSON-RPC of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask. A context is a thread, a task is a run. Sending and cancelling needs the scope `advance`.",
    body: Rpc,
    example: { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} },
    responses: {
      200: { description: "The JSON-RPC response, or its stream.", schema: z.looseObject({ jsonrpc: z.string() }) },
    },
    problem_body: RpcError,
  }),
];

/** The card is public, so it describes neither the agents nor the tools of this server. */
function getCard(c: Ctx): Response {
  const { local_only, release } = c.get("options");
  const security = { securitySchemes: { key: { httpAuthSecurityScheme: { scheme: "Bearer" } } } };
  return c.json({
    name: "Pawl",
    description: "Works on a goal in durable turns, and asks a person before it changes something.",
    version: release,
    supportedInterfaces: [{ url: `${serverAddress(c)}/a2a`, protocolBinding: "JSONRPC", protocolVersion: VERSION }],
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: [
        {
          uri: GATES_EXTENSION,
          description:
            "A task that waits has a data part with gate_id; a data part with gate_id and the answer continues it.",
          required: false,
        },
      ],
    },
    ...(local_only ? {} : { ...security, securityRequirements: [{ schemes: { key: { list: [] } } }] }),
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [{ id: "run", name: "Run", description: "Works on what the message asks for.", tags: ["agent"] }],
  });
}

async function postRpc(c: Ctx): Promise<Response> {
  const body = await readLooseBody(c, Rpc);
  if (!body.ok)
    return c.json(errorResponse(null, body.problem, body.problem.code === "request_invalid" ? "request" : undefined));
  const { id = null, method, params = {} } = body.value;
  const version = c.req.header("a2a-version");
  // A different patch version is accepted, because it does not change the protocol.
  if (version && !/^1\.0(\.\d+)?$/.test(version))
    return c.json(
      errorResponse(id, problem("request_invalid", `A2A-Version: only ${VERSION} is supported.`), "version"),
    );
  const answer = await call(c, method, params);
  if (!answer.ok) {
    c.set("problem_code", answer.problem.code);
    return c.json(errorResponse(id, answer.problem, answer.kind));
  }
  if (Symbol.asyncIterator in answer.value) return respondFrames(c, frames(id, answer.value as AsyncIterable<object>));
  return c.json({ jsonrpc: "2.0", id, result: answer.value });
}

type Answer = Result<object> & { readonly kind?: RpcErrorKind };

async function call(c: Ctx, method: string, params: unknown): Promise<Answer> {
  switch (method) {
    case "SendMessage":
      return withParams(SendParams, params, async (given) => refusePush(given) ?? sendMessage(c, given));
    case "SendStreamingMessage":
      return withParams(SendParams, params, async (given) => refusePush(given) ?? streamMessage(c, given));
    case "GetTask":
      return withParams(TaskParams, params, async ({ id, historyLength }) => {
        const task = await findTask(c, id);
        return task.ok ? { ok: true, value: await taskBody(c, task.value, null, historyLength) } : task;
      });
    case "ListTasks":
      return withParams(ListParams, params, (given) => listTasks(c, given));
    case "CancelTask": {
      const answer: Answer = await withParams(TaskParams, params, ({ id }) => cancelTask(c, id));
      return !answer.ok && answer.problem.code === "nothing_to_do" ? { ...answer, kind: "not_cancelable" } : answer;
    }
    case "SubscribeToTask":
      return withParams(TaskParams, params, ({ id }) => subscribe(c, id));
    default: {
      if (method.includes("PushNotificationConfig")) return PUSH_UNSUPPORTED(`method: ${method.slice(0, 80)}`);
      return { ...fail("request_invalid", `method: ${method.slice(0, 80)} is not supported.`), kind: "method" };
    }
  }
}

const PUSH_UNSUPPORTED = (what: string): Answer => ({
  ...fail("request_invalid", `${what} is not supported; use webhooks.`),
  kind: "push",
});

/** Push notifications are not supported, so the sender would wait for them in vain. */
const refusePush = ({ configuration }: SendParams): Answer | null =>
  configuration?.taskPushNotificationConfig ? PUSH_UNSUPPORTED("configuration.taskPushNotificationConfig") : null;

async function withParams<S extends z.ZodType>(
  schema: S,
  params: unknown,
  run: (given: z.infer<S>) => Promise<Answer>,
): Promise<Answer> {
  const parsed = schema.safeParse(params);
  return parsed.success ? run(parsed.data) : invalidValue(parsed.error, "params");
}

async function* frames(id: RpcId, results: AsyncIterable<object>): AsyncGenerator<Frame> {
  for await (const result of results) yield { data: JSON.stringify({ jsonrpc: "2.0", id, result }) };
}
