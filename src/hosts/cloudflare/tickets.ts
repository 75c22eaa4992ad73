// Tickets in objects: the request that brings one may reach another instance than the one that gave it.
// Only the hash and the name of the caller are kept; whether the key still counts is asked when it is brought.
import type { DirectoryObject } from "../../adapters/store-durable-object/create-store.ts";
import { unavailable } from "../../adapters/store-durable-object/create-store.ts";
import type { Namespace } from "../../adapters/store-durable-object/platform.ts";
import { isTicket, makeTicket, TICKET_MS, type Tickets } from "../../http/edge/tickets.ts";
import { isoTime } from "../../ports/clock.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import type { CallerName, WorkerAccess } from "./access.ts";

const gone = (): Failed => fail("unauthorized", "The ticket is spent, expired or unknown.");

export function createObjectTickets(
  { ids, hash, clock }: Pick<Runtime, "ids" | "hash" | "clock">,
  directory: Namespace<DirectoryObject>,
  access: WorkerAccess,
): Tickets {
  /** Spread over objects, so that no single one has to see every socket that opens. */
  const holderOf = (name: string) => directory.get(directory.idFromName(`ticket/${name.slice(0, 2)}`));
  return {
    async issue({ tenant, name: caller }) {
      const ticket = makeTicket(ids);
      const name = hash.sha256(ticket);
      const until = clock.now() + TICKET_MS;
      const body = JSON.stringify({ tenant, name: caller } satisfies CallerName);
      try {
        await holderOf(name).rows("putOnce", [name, body, until, clock.now()]);
        return { ticket, expires_at: isoTime(until) };
      } catch (error) {
        return unavailable(error);
      }
    },
    async spend(ticket) {
      if (!isTicket(ticket)) return gone();
      const name = hash.sha256(ticket);
      try {
        const body = await holderOf(name).rows("takeOnce", [name, clock.now()]);
        return body === null ? gone() : access.recall(JSON.parse(body) as CallerName);
      } catch (error) {
        return unavailable(error);
      }
    },
  };
}
