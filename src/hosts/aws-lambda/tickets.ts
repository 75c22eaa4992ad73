// Tickets in the table: a ticket may be redeemed at a different instance from the one that issued it.
// Only a hash and the caller's name are stored; whether the key is still valid is checked when the ticket is redeemed.
import * as z from "zod";
import type { SingleUseStore } from "../../adapters/store-dynamodb/single-use-store.ts";
import { generateTicket, isTicket, TICKET_TTL_MS, type Tickets } from "../../http/edge/tickets.ts";
import { isoTime } from "../../ports/clock.ts";
import { TenantId } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import type { Access } from "../shared/access.ts";

const TicketHolder = z.object({ tenant: TenantId, name: z.string() });
const ticketInvalid = (): Failed => fail("unauthorized", "The ticket is spent, expired or unknown.");

export function createTableTickets(
  { ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">,
  once: SingleUseStore,
  { callerByName }: Pick<Access, "callerByName">,
): Tickets {
  const ticketKey = (ticket: string): string => `ticket/${hash.sha256(ticket)}`;
  return {
    async issue({ tenant, name }) {
      const ticket = generateTicket(ids);
      const until = clock.now() + TICKET_TTL_MS;
      const put = await once.put(ticketKey(ticket), JSON.stringify({ tenant, name }), until);
      return put.ok ? { ticket, expires_at: isoTime(until) } : put;
    },
    async redeem(ticket) {
      if (!isTicket(ticket)) return ticketInvalid();
      const redeemed = await once.take(ticketKey(ticket));
      if (!redeemed.ok) return redeemed;
      return redeemed.value === null ? ticketInvalid() : callerByName(TicketHolder.parse(JSON.parse(redeemed.value)));
    },
  };
}
