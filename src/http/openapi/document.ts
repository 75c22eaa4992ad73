// Generates the OpenAPI 3.1 document from the routes and the schemas that validate their data. zod generates the JSON
// Schema. @hono/zod-openapi is not used for three reasons: its schemas differ, so generated clients would change; it
// patches zod for the whole process; and it would tie the routes of toolkits to the HTTP framework.
import type { z } from "zod";
import { PROBLEMS, type ProblemCode } from "../../schema/problem.ts";
import type {
  RequestHeader,
  ResponseDescription,
  ResponseHeader,
  RouteDescription,
  RouteInfo,
} from "../../tools/route.ts";
import { componentSchemas, type Json, toJsonSchema } from "./json-schema.ts";
import { ProblemBody } from "./response-schemas.ts";

const REQUEST_HEADERS: Readonly<Record<RequestHeader, string>> = {
  "Idempotency-Key":
    "1 to 255 visible ASCII characters without a comma. Repeating a request with the same key and body returns the same response; kept for the last 64 keyed requests of a thread.",
  "If-Match": 'The version that the caller has seen, as in the ETag, e.g. "7". Any other is 412 `version_mismatch`.',
  "Last-Event-ID": "The id of the last event that was received; only later ones are sent. Overrides `after`.",
};

const RESPONSE_HEADERS: Readonly<Record<ResponseHeader, string>> = {
  ETag: "The version of the thread, or of the settings.",
  Location: "The path of the new resource.",
  "Idempotency-Replayed": '"true" if this response was returned before.',
};

type Operation = RouteDescription<string>;

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
  id: { schema: { type: "string" }, description: "The id of the thread, or the name of the agent below /v1/agents." },
  n: { schema: { type: "integer", minimum: 0 }, description: "The number of the turn." },
  name: { schema: { type: "string" }, description: "The name of the tool." },
  code: { schema: { type: "string" }, description: "The code of the problem." },
  webhook: { schema: { type: "string" }, description: "The id of the webhook." },
  hook: { schema: { type: "string" }, description: "The id of the inbound webhook; its token where an event is sent." },
  token: { schema: { type: "string" }, description: "The token of the link." },
  schedule: { schema: { type: "string" }, description: "The id of the schedule." },
  op: { schema: { type: "string", pattern: "^opr_[0-9a-z]{26}$" }, description: "The operation_id of the call." },
};

export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
} & Json;

export function openApiDocument(routes: readonly RouteInfo<string>[], release: string): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    if (!route.openapi) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: describeRoute(route, route.openapi) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "Pawl", version: release, description: "Every HTTP request advances one durable turn." },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "A named key with scopes. Not needed on a server without keys.",
        },
        ticket: { type: "apiKey", in: "query", name: "ticket", description: "Valid once, within a minute." },
      },
    },
    "x-problems": PROBLEMS,
  };
}

function describeRoute(route: RouteInfo<string>, operation: Operation): Json {
  const responses = Object.entries(operation.responses).map(([status, body]) => [status, describeResponse(body)]);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.deprecated ? { deprecated: true } : {}),
    tags: [route.path.split("/")[2] ?? "server"],
    ...(route.scope === null
      ? { security: [] }
      : { security: securityFor(route.scope, operation.accepts_ticket ?? false) }),
    parameters: parametersOf(route.path, operation),
    ...(operation.body ? { requestBody: describeBody(operation.body, operation) } : {}),
    responses: {
      ...Object.fromEntries(responses),
      ...problemResponses(problemsOf(route, operation), operation),
    },
  };
}

const securityFor = (scope: string, acceptsTicket: boolean): readonly Json[] => [
  { key: [scope] },
  ...(acceptsTicket ? [{ ticket: [scope] }] : []),
];

function parametersOf(path: string, operation: Operation): readonly Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...(PATH_PARAMETERS[name] ?? { schema: { type: "string" } }),
  }));
  const inQuery = Object.entries(operation.query ?? {}).map(([name, { schema, description }]) => ({
    name,
    in: "query",
    description,
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

const describeBody = (schema: z.ZodType, { example, body_type = "application/json" }: Operation): Json => ({
  description: "May be omitted where no field is required.",
  content: { [body_type]: { schema: toJsonSchema(schema), ...(example === undefined ? {} : { example }) } },
});

function describeResponse(response: ResponseDescription<string>): Json {
  const { description, schema, headers = [], stream, plain, type = "application/json" } = response;
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
    description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headerEntries) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

function problemsOf(route: RouteInfo<string>, operation: Operation): readonly ProblemCode[] {
  return [
    ...COMMON_PROBLEMS,
    ...(route.scope === null ? [] : AUTHENTICATED_PROBLEMS),
    ...(operation.body ? BODY_PROBLEMS : []),
    ...(operation.problems ?? []),
  ];
}

/** The description of a status lists its problem codes. */
function problemResponses(codes: readonly ProblemCode[], { html_problems, problem_body }: Operation): Json {
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status);
  const rows = [...byStatus].map(([status, named]) => [
    status,
    {
      description: named.map((code) => `\`${code}\``).join(", "),
      content: {
        ...(problem_body
          ? { "application/json": { schema: toJsonSchema(problem_body) } }
          : { "application/problem+json": { schema: toJsonSchema(ProblemBody) } }),
        ...(html_problems ? { "text/html": { schema: { type: "string" } } } : {}),
      },
    },
  ]);
  return Object.fromEntries(rows);
}
