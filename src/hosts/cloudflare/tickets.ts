// Stores tickets in Durable Objects. They are spread over many, so that no single one handles every new socket.
import { type DirectoryObject, unavailable } from "../../adapters/store-durable-object/create-store.ts";
import type { Namespace } from "../../adapters/store-durable-object/platform.ts";
import { TICKET_TTL_MS } from "../../http/edge/tickets.ts";
import type { Clock } from "../../ports/clock.ts";
import { ok } from "../../schema/problem.ts";
import { TICKET_PREFIX, type TicketStore } from "../shared/stored-tickets.ts";

export function createTicketObjects(directory: Namespace<DirectoryObject>, clock: Clock): TicketStore {
  const objectOf = (name: string) => directory.get(directory.idFromName(name.slice(0, TICKET_PREFIX.length + 2)));
  const hashIn = (name: string): string => name.slice(TICKET_PREFIX.length);
  return {
    put: (name, text, until) =>
      objectOf(name)
        .rows("putOnce", [hashIn(name), text, until, clock.now()])
        .then(() => ok(undefined), unavailable),
    take: (name) =>
      objectOf(name)
        .rows("takeOnce", [hashIn(name), clock.now(), TICKET_TTL_MS])
        .then(ok, unavailable),
  };
}
