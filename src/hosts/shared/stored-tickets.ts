// Issues tickets that any instance of the host can redeem. A row contains only hashes of the ticket and the caller's key,
// and the caller's tenant and name.
import { generateTicket, isTicket, TICKET_TTL_MS, type Tickets } from "../../http/edge/tickets.ts";
import { isoTime } from "../../ports/clock.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Access, CallerReference, referenceOf } from "./access.ts";

export type TicketStore = {
  /** `name` is TICKET_PREFIX and the hash of the ticket. The text can be taken until `until`, in milliseconds since the epoch. */
  readonly put: (name: string, text: string, until: number) => Promise<Result<void>>;
  /** Returns the text once. Null if it does not exist, has expired or was taken. */
  readonly take: (name: string) => Promise<Result<string | null>>;
};

export const TICKET_PREFIX = "ticket/";

const ticketInvalid = (): Failed => fail("unauthorized", "The ticket was used before, has expired or is unknown.");

export function createStoredTickets(
  { ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">,
  store: TicketStore,
  { findCaller }: Pick<Access, "findCaller">,
): Tickets {
  const nameOf = (ticket: string): string => `${TICKET_PREFIX}${hash.sha256(ticket)}`;
  return {
    async issue(caller) {
      const ticket = generateTicket(ids);
      const until = clock.now() + TICKET_TTL_MS;
      const put = await store.put(nameOf(ticket), JSON.stringify(referenceOf(caller)), until);
      return put.ok ? { ticket, expires_at: isoTime(until) } : put;
    },
    async redeem(ticket) {
      if (!isTicket(ticket)) return ticketInvalid();
      const redeemed = await store.take(nameOf(ticket));
      if (!redeemed.ok) return redeemed;
      return redeemed.value === null ? ticketInvalid() : findCaller(CallerReference.parse(JSON.parse(redeemed.value)));
    },
  };
}
