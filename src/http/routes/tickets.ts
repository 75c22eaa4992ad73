// The route that issues tickets for browser streams and sockets, which cannot send an Authorization header.
import { EmptyBody } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type Route, route } from "../route.ts";

export const ticketRoutes: readonly Route[] = [
  route(["post", "/v1/tickets", "read"], postTicket, {
    id: "createTicket",
    summary: "Create a ticket for one stream or socket",
    description:
      "For browsers, which cannot send a header there. Valid once, within a minute, on the server that issued it, with the scopes of the key that asked.",
    body: EmptyBody,
    responses: { 201: { description: "The ticket.", schema: "TicketBody" } },
  }),
];

async function postTicket(c: Ctx): Promise<Answer> {
  const issued = await c.get("options").tickets.issue(c.get("caller"));
  return "ok" in issued ? issued : respondJson(c, issued, 201);
}
