// Stores tickets in the table, because another instance may redeem them. A row contains only hashes of the ticket and
// the caller's key, and the caller's tenant and name.
import type { SingleUseStore } from "../../adapters/store-dynamodb/single-use-store.ts";
import { generateTicket, isTicket, TICKET_TTL_MS, type Tickets } from "../../http/edge/tickets.ts";
import { isoTime } from "../../ports/clock.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Access, CallerReference, referenceOf } from "../shared/access.ts";

const ticketInvalid = (): Failed => fail("unauthorized", "The ticket was used before, has expired or is unknown.");

export function createTableTickets(
  { ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">,
  once: SingleUseStore,
  { findCaller }: Pick<Access, "findCaller">,
): Tickets {
  const ticketKey = (ticket: string): string => `ticket/${hash.sha256(ticket)}`;
  return {
    async issue(caller) {
      const ticket = generateTicket(ids);
      const until = clock.now() + TICKET_TTL_MS;
      const put = await once.put(ticketKey(ticket), JSON.stringify(referenceOf(caller)), until);
      return put.ok ? { ticket, expires_at: isoTime(until) } : put;
    },
    async redeem(ticket) {
      if (!isTicket(ticket)) return ticketInvalid();
      const redeemed = await once.take(ticketKey(ticket));
      if (!redeemed.ok) return redeemed;
      return redeemed.value === null ? ticketInvalid() : findCaller(CallerReference.parse(JSON.parse(redeemed.value)));
    },
  };
}
