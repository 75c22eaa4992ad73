// Tickets: a browser cannot send a header with a WebSocket or an EventSource, so it brings a ticket in the address.
// Each works once, soon, and at the process that gave it unless the host keeps them elsewhere; only hashes are kept.
import { z } from "zod";
import { isoTime } from "../../ports/clock.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { readBody } from "./body.ts";
import { type Caller, revalidateCaller } from "./caller.ts";

export const TICKET_TTL_MS = 60_000;
const TICKETS_MAX = 10_000;
const TICKET_PATTERN = /^tkt_[0-9a-z]{52}$/;

export type Ticket = { readonly ticket: string; readonly expires_at: string };

/** A host of many processes keeps tickets where all of them look. */
export type Tickets = {
  readonly issue: (caller: Caller) => Ticket | Promise<Ticket | Failed>;
  /** Who it was given to. It is spent by asking, whatever comes of the request. */
  readonly redeem: (ticket: string) => Result<Caller> | Promise<Result<Caller>>;
};
type LocalTickets = { readonly issue: (caller: Caller) => Ticket; readonly redeem: (ticket: string) => Result<Caller> };

/** Two ids: the randomness of one alone is less than that of a key. */
export const generateTicket = (ids: Runtime["ids"]): string => `${ids.make("tkt")}${ids.make("tkt").slice(-26)}`;
export const isTicket = (text: string): boolean => TICKET_PATTERN.test(text);

export function createTickets({ ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">): LocalTickets {
  const issued = new Map<string, { readonly caller: Caller; readonly until: number }>();
  const dropOldest = (): void => {
    for (const [name, { until }] of issued) {
      if (issued.size < TICKETS_MAX && until > clock.now()) return;
      issued.delete(name);
    }
  };
  return {
    issue(caller) {
      dropOldest();
      const ticket = generateTicket(ids);
      const until = clock.now() + TICKET_TTL_MS;
      issued.set(hash.sha256(ticket), { caller, until });
      return { ticket, expires_at: isoTime(until) };
    },
    redeem(ticket) {
      const name = isTicket(ticket) ? hash.sha256(ticket) : "";
      const entry = issued.get(name);
      issued.delete(name);
      if (!entry || clock.now() >= entry.until) return fail("unauthorized", "The ticket is spent, expired or unknown.");
      return revalidateCaller(entry.caller);
    },
  };
}

export const EmptyBody = z.strictObject({});

export async function postTicket(c: Ctx): Promise<Response> {
  const body = await readBody(c, EmptyBody);
  if (!body.ok) return respondProblem(c, body.problem);
  const issued = await c.get("options").tickets.issue(c.get("caller"));
  return "ok" in issued ? respondProblem(c, issued.problem) : c.json(issued, 201);
}
