// Adapts the routes of toolkits, which are plain data, to the HTTP framework, under the same limits as any route.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ok, type Result } from "../schema/problem.ts";
import type { RouteRequest, RouteResponse, RouteThread, ToolkitRoute } from "../tools/route.ts";
import { loadArguments } from "../turn/act/stored-call.ts";
import { loadThread } from "../turn/load.ts";
import { readRouteBody } from "./edge/body.ts";
import { threadAt } from "./edge/params.ts";
import type { Ctx } from "./env.ts";
import type { Route } from "./route.ts";

export const toolkitRoutes = (routes: readonly ToolkitRoute[]): readonly Route[] =>
  routes.map(({ handler, ...info }) => ({
    ...info,
    handler: async (c) => {
      const body = await readRouteBody(c, info.openapi, info);
      if (!body.ok) return body;
      const isText = info.openapi?.body_type !== undefined && body.value !== undefined;
      const read = isText ? { body: undefined, text: body.value as string } : { body: body.value, text: "" };
      const response = await handler(toRequest(c, read));
      return response.ok ? respond(c, response.value) : response;
    },
  }));

function toRequest(c: Ctx, body: Pick<RouteRequest, "body" | "text">): RouteRequest {
  const { clock, config } = c.get("options").rt;
  return Object.freeze({
    caller: c.get("caller"),
    params: c.req.param(),
    query: c.req.query(),
    headers: c.req.header(),
    ...body,
    now: clock.now(),
    ...(config.time_zone ? { time_zone: config.time_zone } : {}),
    thread: () => loadRouteThread(c),
  });
}

async function loadRouteThread(c: Ctx): Promise<Result<RouteThread>> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return at;
  const thread = await loadThread(rt, at.value);
  if (!thread.ok) return thread;
  const { version, state } = thread.value;
  return ok({
    at: at.value,
    version,
    state,
    proposedCall: async () => {
      if (state.gate?.kind !== "confirmation") return ok(null);
      const { call } = state.gate;
      const args = await loadArguments(rt, at.value, call);
      return args.ok ? ok({ name: call.name, arguments: args.value }) : args;
    },
  });
}

function respond(c: Ctx, { status, headers = {}, body, text }: RouteResponse): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (text !== undefined) return c.body(text, (status ?? 200) as ContentfulStatusCode);
  if (body === undefined) return c.body(null, (status ?? 204) as 204);
  return c.json(body as object, (status ?? 200) as ContentfulStatusCode);
}
