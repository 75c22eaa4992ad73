// Tickets in the table: the request that brings one may reach another instance than the one that gave it.
// Only a hash and the caller's name are kept; whether the key still counts is asked when the ticket is brought.
import { z } from "zod";
import type { Once } from "../../adapters/store-dynamodb/once.ts";
import { isTicket, makeTicket, TICKET_MS, type Tickets } from "../../http/edge/tickets.ts";
import { isoTime } from "../../ports/clock.ts";
import { TenantId } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import type { Access } from "../shared/access.ts";

const Holder = z.object({ tenant: TenantId, name: z.string() });
const gone = (): Failed => fail("unauthorized", "The ticket is spent, expired or unknown.");

export function createTableTickets(
  { ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">,
  once: Once,
  { recall }: Pick<Access, "recall">,
): Tickets {
  const nameOf = (ticket: string): string => `ticket/${hash.sha256(ticket)}`;
  return {
    async issue({ tenant, name }) {
      const ticket = makeTicket(ids);
      const until = clock.now() + TICKET_MS;
      const put = await once.put(nameOf(ticket), JSON.stringify({ tenant, name }), until);
      return put.ok ? { ticket, expires_at: isoTime(until) } : put;
    },
    async spend(ticket) {
      if (!isTicket(ticket)) return gone();
      const taken = await once.take(nameOf(ticket));
      if (!taken.ok) return taken;
      return taken.value === null ? gone() : recall(Holder.parse(JSON.parse(taken.value)));
    },
  };
}
