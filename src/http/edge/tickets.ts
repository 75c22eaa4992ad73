// Issues and redeems tickets. A browser cannot send an Authorization header with a WebSocket or an EventSource, so it
// sends a ticket in the query instead. A ticket can be used once, within a minute, and only in the process that issued
// it unless the host shares tickets. Only the hashes of tickets are stored.
import { isoTime } from "../../ports/clock.ts";
import { lastsUntil } from "../../schema/jobs/time-limit.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Caller, revalidateCaller } from "./caller.ts";

export const TICKET_TTL_MS = 60_000;
const TICKETS_MAX = 10_000;
const TICKET_PATTERN = /^tkt_[0-9a-z]{52}$/;

export type Ticket = { readonly ticket: string; readonly expires_at: string };

/** Implemented in memory below. A host with several processes keeps tickets in shared storage. */
export type Tickets = {
  readonly issue: (caller: Caller) => Ticket | Promise<Ticket | Failed>;
  /** Returns the caller to whom the ticket was issued. The ticket is used up even if the request fails later. */
  readonly redeem: (ticket: string) => Result<Caller> | Promise<Result<Caller>>;
};
type LocalTickets = { readonly issue: (caller: Caller) => Ticket; readonly redeem: (ticket: string) => Result<Caller> };

/** One id has less entropy than a key, so a ticket consists of two. */
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
      if (!entry || !lastsUntil(entry.until, clock.now(), TICKET_TTL_MS))
        return fail("unauthorized", "The ticket was used before, has expired or is unknown.");
      return revalidateCaller(entry.caller);
    },
  };
}
