// Routes that return the events of a thread as a JSON page, a stream or a WebSocket.
import * as z from "zod";
import { eventsAfter } from "../../threads/find-turn.ts";
import type { QueryParameter } from "../../tools/route.ts";
import { revalidateCaller } from "../edge/caller.ts";
import { acceptsEventStream, readEventsAfter } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondEventStream } from "../live/event-stream.ts";
import { DIALECTS } from "../live/legacy-dialect.ts";
import { getLive } from "../live/live.ts";
import { toSseFrame } from "../live/stream-turn.ts";
import { PAGE_RECORDS, tailThread } from "../live/tail.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadThread, type Route, route } from "../route.ts";

const after: QueryParameter = {
  schema: z.int().min(-1).optional(),
  description: "Only events with a higher seq; -1 for all.",
};
const ticket: QueryParameter = {
  schema: z.string().optional(),
  description: "From POST /v1/tickets, instead of a header.",
};

export const eventRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/events", "read"], getEvents, {
    id: "getEvents",
    summary: "Read the events of a thread: one page, or a stream that does not end",
    description:
      "With `Accept: text/event-stream` the missed events come first, then new ones as they happen. Durable events have an id, so a reconnecting client continues exactly where it stopped.",
    query: { after, ticket },
    headers: ["Last-Event-ID"],
    responses: { 200: { description: "Durable events in order.", schema: "EventPage", stream: "LiveEvent" } },
    problems: ["thread_not_found", "request_invalid"],
    accepts_ticket: true,
  }),
  route(["get", "/v1/threads/:id/live", "read"], getLive, {
    id: "live",
    summary: "Open a WebSocket: the same events, and answers to gates",
    description:
      "Every text frame is one JSON object. The server sends the events, and `response` or `problem` for each frame it receives (LiveAnswer). The client sends `clarify_response` and `tool_confirmation_response`, where `requestId` is the id of the gate, and `ping` (LiveFrame). An answer is equivalent to posting that input: same scopes, same problems. Frames up to 1 MB.",
    query: {
      after,
      ticket,
      dialect: {
        schema: z.enum(DIALECTS).optional(),
        description:
          "`legacy`: gates and tool events have the names that older front ends expect, such as `clarify_request` and `tool_result`.",
      },
    },
    headers: ["Last-Event-ID"],
    responses: { 101: { description: "The connection is a WebSocket from here on.", schema: null } },
    problems: ["thread_not_found", "request_invalid", "upgrade_required", "not_supported_here"],
    accepts_ticket: true,
  }),
];

async function getEvents(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const options = c.get("options");
  const caller = c.get("caller");
  const from = readEventsAfter(c);
  if (!from.ok) return from;
  const first = await eventsAfter(options.rt, at, from.value, PAGE_RECORDS);
  if (!first.ok) return first;
  if (!acceptsEventStream(c))
    return respondJson(c, { events: first.value, after: first.value.at(-1)?.seq ?? from.value });
  return respondEventStream(c, async (stream) => {
    await tailThread(options, at, from.value, {
      send: async (event) => stream.writeSSE(toSseFrame(event)),
      keepAlive: async () => void (await stream.write(": keep-alive\n\n")),
      isClosed: () => stream.aborted || stream.closed || !revalidateCaller(caller).ok,
      onClose: (wake) => stream.onAbort(wake),
    });
  });
}
