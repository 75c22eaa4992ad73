// OpenAPI 3.1 from the table of routes and the schemas the routes validate with. JSON Schema comes from zod itself.
import type { z } from "zod";
import { PROBLEMS, type ProblemCode } from "../../schema/problem.ts";
import type { RouteFacts } from "../env.ts";
import { ProblemBody } from "./bodies.ts";
import { HOST_OPERATIONS } from "./host-operations.ts";
import { JOB_OPERATIONS } from "./job-operations.ts";
import { type Answer, type Operation, REQUEST_HEADERS, RESPONSE_HEADERS } from "./operation.ts";
import { OTHER_OPERATIONS } from "./other-operations.ts";
import { componentShapes, type Json, shapeOf } from "./shapes.ts";
import { THREAD_OPERATIONS } from "./thread-operations.ts";
import { WEBHOOK_OPERATIONS } from "./webhook-operations.ts";

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...THREAD_OPERATIONS,
  ...JOB_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...OTHER_OPERATIONS,
  ...HOST_OPERATIONS,
};

const ALWAYS: readonly ProblemCode[] = ["header_invalid", "origin_refused", "stopping", "internal"];
const KNOWN_CALLER: readonly ProblemCode[] = ["unauthorized", "forbidden", "rate_limited", "store_unavailable"];
const WITH_BODY: readonly ProblemCode[] = [
  "request_invalid",
  "body_invalid",
  "body_too_large",
  "content_type_unsupported",
  "request_timeout",
];

const PATH_FIELDS: Readonly<Record<string, { schema: Json; description: string }>> = {
  id: { schema: { type: "string" }, description: "The id of the thread (of the agent, where a tool is switched)." },
  n: { schema: { type: "integer", minimum: 0 }, description: "The number of the turn." },
  name: { schema: { type: "string" }, description: "The name of the tool." },
  code: { schema: { type: "string" }, description: "The code of the problem." },
  webhook: { schema: { type: "string" }, description: "The id of the webhook." },
  hook: { schema: { type: "string" }, description: "The id of the hook; its address where an event is brought." },
  token: { schema: { type: "string" }, description: "As the link has it." },
  schedule: { schema: { type: "string" }, description: "The id of the schedule." },
  op: { schema: { type: "string", pattern: "^opr_[0-9a-z]{26}$" }, description: "The operation_id of the call." },
};

export type Document = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
} & Json;

export function openApiDocument(routes: readonly RouteFacts[], release: string): Document {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const operation = OPERATIONS[`${route.method.toUpperCase()} ${route.path}`];
    // Pages and files that a host serves are no part of the interface.
    if (!operation) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: describe(route, operation) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "Pawl", version: release, description: "Every HTTP call advances one durable turn." },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: componentShapes(),
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "A named key with scopes. Not needed where none is configured.",
        },
        ticket: { type: "apiKey", in: "query", name: "ticket", description: "Works once, within a minute." },
      },
    },
    "x-problems": PROBLEMS,
  };
}

function describe(route: RouteFacts, operation: Operation): Json {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [status, describeAnswer(answer)]);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.says ? { description: operation.says } : {}),
    tags: [route.path.split("/")[2] ?? "server"],
    ...(route.scope === null ? { security: [] } : { security: doors(route.scope, operation.ticketed ?? false) }),
    parameters: parametersOf(route.path, operation),
    ...(operation.body ? { requestBody: describeBody(operation.body, operation) } : {}),
    responses: { ...Object.fromEntries(answers), ...problemResponses(problemsOf(route, operation), operation.pages) },
  };
}

const doors = (scope: string, ticketed: boolean): readonly Json[] => [
  { key: [scope] },
  ...(ticketed ? [{ ticket: [scope] }] : []),
];

function parametersOf(path: string, operation: Operation): readonly Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...PATH_FIELDS[name],
  }));
  const inQuery = Object.entries(operation.query ?? {}).map(([name, { schema, says }]) => ({
    name,
    in: "query",
    description: says,
    schema: shapeOf(schema),
  }));
  const inHeader = (operation.headers ?? []).map((name) => ({
    name,
    in: "header",
    description: REQUEST_HEADERS[name],
    schema: { type: "string" },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

const describeBody = (schema: z.ZodType, { example, body_type = "application/json" }: Operation): Json => ({
  description: "May be left out where no field is required.",
  content: { [body_type]: { schema: shapeOf(schema), ...(example === undefined ? {} : { example }) } },
});

function describeAnswer({ says, schema, headers = [], stream, plain, type = "application/json" }: Answer): Json {
  const content = {
    ...(schema ? { [type]: { schema: shapeOf(schema) } } : {}),
    ...(schema && plain ? { "text/plain": { schema: shapeOf(schema) } } : {}),
    ...(stream ? { "text/event-stream": { schema: shapeOf(stream) } } : {}),
  };
  const marks = headers.map((name) => [name, { description: RESPONSE_HEADERS[name], schema: { type: "string" } }]);
  return {
    description: says,
    ...(headers.length > 0 ? { headers: Object.fromEntries(marks) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

function problemsOf(route: RouteFacts, operation: Operation): readonly ProblemCode[] {
  return [
    ...ALWAYS,
    ...(route.scope === null ? [] : KNOWN_CALLER),
    ...(operation.body ? WITH_BODY : []),
    ...(operation.problems ?? []),
  ];
}

/** One response per status; its description names the codes. */
function problemResponses(codes: readonly ProblemCode[], pages = false): Json {
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status);
  const rows = [...byStatus].map(([status, named]) => [
    status,
    {
      description: named.map((code) => `\`${code}\``).join(", "),
      content: {
        "application/problem+json": { schema: shapeOf(ProblemBody) },
        ...(pages ? { "text/html": { schema: { type: "string" } } } : {}),
      },
    },
  ]);
  return Object.fromEntries(rows);
}
