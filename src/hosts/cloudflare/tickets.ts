// Stores tickets in Durable Objects, because another instance may redeem them. A row contains only hashes of the ticket
// and the caller's key, and the caller's tenant and name.
import { type DirectoryObject, unavailable } from "../../adapters/store-durable-object/create-store.ts";
import type { Namespace } from "../../adapters/store-durable-object/platform.ts";
import { generateTicket, isTicket, TICKET_TTL_MS, type Tickets } from "../../http/edge/tickets.ts";
import { isoTime } from "../../ports/clock.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Access, CallerReference, referenceOf } from "../shared/access.ts";

const ticketInvalid = (): Failed => fail("unauthorized", "The ticket was used before, has expired or is unknown.");

export function createObjectTickets(
  { ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">,
  directory: Namespace<DirectoryObject>,
  access: Access,
): Tickets {
  /** Tickets are spread over many objects, so that no single one handles every new socket. */
  const ticketShard = (name: string) => directory.get(directory.idFromName(`ticket/${name.slice(0, 2)}`));
  return {
    async issue(caller) {
      const ticket = generateTicket(ids);
      const name = hash.sha256(ticket);
      const until = clock.now() + TICKET_TTL_MS;
      const body = JSON.stringify(referenceOf(caller));
      try {
        await ticketShard(name).rows("putOnce", [name, body, until, clock.now()]);
        return { ticket, expires_at: isoTime(until) };
      } catch (error) {
        return unavailable(error);
      }
    },
    async redeem(ticket) {
      if (!isTicket(ticket)) return ticketInvalid();
      const name = hash.sha256(ticket);
      try {
        const body = await ticketShard(name).rows("takeOnce", [name, clock.now(), TICKET_TTL_MS]);
        return body === null ? ticketInvalid() : access.findCaller(CallerReference.parse(JSON.parse(body)));
      } catch (error) {
        return unavailable(error);
      }
    },
  };
}
