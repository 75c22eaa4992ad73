// OpenAPI 3.1 from the table of routes and the schemas the routes validate with. JSON Schema comes from zod itself.
import type { z } from "zod";
import { PROBLEMS, type ProblemCode } from "../../schema/problem.ts";
import type { RouteInfo } from "../env.ts";
import { HOST_ROUTES } from "./host-routes.ts";
import { JOB_ROUTES } from "./job-routes.ts";
import { componentSchemas, type Json, toJsonSchema } from "./json-schema.ts";
import { OTHER_ROUTES } from "./other-routes.ts";
import { ProblemBody } from "./response-schemas.ts";
import {
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type ResponseDescription,
  type RouteDescription,
} from "./route-description.ts";
import { THREAD_ROUTES } from "./thread-routes.ts";
import { WEBHOOK_ROUTES } from "./webhook-routes.ts";

export const ROUTE_DESCRIPTIONS: Readonly<Record<string, RouteDescription>> = {
  ...THREAD_ROUTES,
  ...JOB_ROUTES,
  ...WEBHOOK_ROUTES,
  ...OTHER_ROUTES,
  ...HOST_ROUTES,
};

const COMMON_PROBLEMS: readonly ProblemCode[] = ["header_invalid", "origin_refused", "stopping", "internal"];
const AUTHENTICATED_PROBLEMS: readonly ProblemCode[] = [
  "unauthorized",
  "token_required",
  "forbidden",
  "rate_limited",
  "store_unavailable",
];
const BODY_PROBLEMS: readonly ProblemCode[] = [
  "request_invalid",
  "body_invalid",
  "body_too_large",
  "content_type_unsupported",
  "request_timeout",
];

const PATH_PARAMETERS: Readonly<Record<string, { schema: Json; description: string }>> = {
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

export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
} & Json;

export function openApiDocument(routes: readonly RouteInfo[], release: string): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const operation = ROUTE_DESCRIPTIONS[`${route.method.toUpperCase()} ${route.path}`];
    // Pages and files that a host serves are no part of the interface.
    if (!operation) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: describeRoute(route, operation) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "Pawl", version: release, description: "Every HTTP call advances one durable turn." },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: componentSchemas(),
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

function describeRoute(route: RouteInfo, operation: RouteDescription): Json {
  const responses = Object.entries(operation.responses).map(([status, answer]) => [status, describeResponse(answer)]);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [route.path.split("/")[2] ?? "server"],
    ...(route.scope === null
      ? { security: [] }
      : { security: securityFor(route.scope, operation.accepts_ticket ?? false) }),
    parameters: parametersOf(route.path, operation),
    ...(operation.body ? { requestBody: describeBody(operation.body, operation) } : {}),
    responses: {
      ...Object.fromEntries(responses),
      ...problemResponses(problemsOf(route, operation), operation.html_problems),
    },
  };
}

const securityFor = (scope: string, acceptsTicket: boolean): readonly Json[] => [
  { key: [scope] },
  ...(acceptsTicket ? [{ ticket: [scope] }] : []),
];

function parametersOf(path: string, operation: RouteDescription): readonly Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...PATH_PARAMETERS[name],
  }));
  const inQuery = Object.entries(operation.query ?? {}).map(([name, { schema, description }]) => ({
    name,
    in: "query",
    description: description,
    schema: toJsonSchema(schema),
  }));
  const inHeader = (operation.headers ?? []).map((name) => ({
    name,
    in: "header",
    description: REQUEST_HEADERS[name],
    schema: { type: "string" },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

const describeBody = (schema: z.ZodType, { example, body_type = "application/json" }: RouteDescription): Json => ({
  description: "May be left out where no field is required.",
  content: { [body_type]: { schema: toJsonSchema(schema), ...(example === undefined ? {} : { example }) } },
});

function describeResponse({
  description,
  schema,
  headers = [],
  stream,
  plain,
  type = "application/json",
}: ResponseDescription): Json {
  const content = {
    ...(schema ? { [type]: { schema: toJsonSchema(schema) } } : {}),
    ...(schema && plain ? { "text/plain": { schema: toJsonSchema(schema) } } : {}),
    ...(stream ? { "text/event-stream": { schema: toJsonSchema(stream) } } : {}),
  };
  const headerEntries = headers.map((name) => [
    name,
    { description: RESPONSE_HEADERS[name], schema: { type: "string" } },
  ]);
  return {
    description: description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headerEntries) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

function problemsOf(route: RouteInfo, operation: RouteDescription): readonly ProblemCode[] {
  return [
    ...COMMON_PROBLEMS,
    ...(route.scope === null ? [] : AUTHENTICATED_PROBLEMS),
    ...(operation.body ? BODY_PROBLEMS : []),
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
        "application/problem+json": { schema: toJsonSchema(ProblemBody) },
        ...(pages ? { "text/html": { schema: { type: "string" } } } : {}),
      },
    },
  ]);
  return Object.fromEntries(rows);
}
