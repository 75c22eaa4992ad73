// Tickets: a browser cannot send a header with a WebSocket or an EventSource, so it brings a ticket in the address.
// Each works once, soon, and at the process that gave it; only hashes are kept.
import { z } from "zod";
import { isoTime } from "../ports/clock.ts";
import { fail, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { readBody } from "./body.ts";
import { type Caller, currentCaller } from "./caller.ts";
import type { Ctx } from "./env.ts";
import { respondProblem } from "./respond.ts";

export const TICKET_MS = 60_000;
const WAITING_MAX = 10_000;
const TICKET = /^tkt_[0-9a-z]{52}$/;

export type Tickets = {
  readonly issue: (caller: Caller) => { readonly ticket: string; readonly expires_at: string };
  /** Who it was given to. It is spent by asking, whatever comes of the request. */
  readonly spend: (ticket: string) => Result<Caller>;
};

export function createTickets({ ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">): Tickets {
  const waiting = new Map<string, { readonly caller: Caller; readonly until: number }>();
  const dropOldest = (): void => {
    for (const [name, { until }] of waiting) {
      if (waiting.size < WAITING_MAX && until > clock.now()) return;
      waiting.delete(name);
    }
  };
  return {
    issue(caller) {
      dropOldest();
      // Two ids: the randomness of one alone is less than that of a key.
      const ticket = `${ids.make("tkt")}${ids.make("tkt").slice(-26)}`;
      const until = clock.now() + TICKET_MS;
      waiting.set(hash.sha256(ticket), { caller, until });
      return { ticket, expires_at: isoTime(until) };
    },
    spend(ticket) {
      const name = TICKET.test(ticket) ? hash.sha256(ticket) : "";
      const held = waiting.get(name);
      waiting.delete(name);
      if (!held || clock.now() >= held.until) return fail("unauthorized", "The ticket is spent, expired or unknown.");
      return currentCaller(held.caller);
    },
  };
}

export const NoFields = z.strictObject({});

export async function postTicket(c: Ctx): Promise<Response> {
  const body = await readBody(c, NoFields);
  if (!body.ok) return respondProblem(c, body.problem);
  return c.json(c.get("options").tickets.issue(c.get("caller")), 201);
}
