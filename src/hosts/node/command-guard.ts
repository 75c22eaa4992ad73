// Refuses requests that come from commands which this server runs. Each connection is checked once, before any route.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import {
  type Connection,
  comesFromCommand,
  type RunningCommands,
} from "../../adapters/operations-local/command-peers.ts";
import { problemResponse } from "../../http/respond.ts";
import { problem } from "../../schema/problem.ts";

/** Watches the connections of a server. The check that it returns gives the response that refuses a request, or null. */
export type RequestGuard = (server: Server) => (socket: Socket) => Promise<Response | null>;

export const createCommandGuard =
  (running: RunningCommands): RequestGuard =>
  (server) => {
    const connections = new WeakMap<Socket, Connection>();
    const checks = new WeakMap<Socket, Promise<boolean>>();
    // The addresses are stored when the connection opens, because a closed socket no longer has them.
    server.on("connection", (socket: Socket) => {
      const { remoteAddress, remotePort, localPort } = socket;
      connections.set(socket, { remoteAddress, remotePort, localPort });
    });
    return async (socket) => {
      const answer = checks.get(socket) ?? comesFromCommand(connections.get(socket) ?? {}, running);
      checks.set(socket, answer);
      return (await answer) ? refusal() : null;
    };
  };

const refusal = (): Response =>
  problemResponse(problem("command_refused", "This request comes from a command that the server itself runs."));
