// Connects clients with processes: routes requests to one of two processes, loses responses, and records everything.
import type { TenantId } from "../../src/schema/ids.ts";
import type { ChangesState } from "./changes/changes-state.ts";
import type { JobsState } from "./jobs/jobs-state.ts";
import { roll, STREAMS } from "./random.ts";
import { serve } from "./serve.ts";
import type { DurableState, Server, SimRequest, SimResponse } from "./server.ts";
import { startServer } from "./server.ts";
import { returnApps } from "./web-app.ts";
import type { World } from "./world.ts";

/** One attempt of a request. `response` is null if its outcome is unknown. */
export type Attempt = { readonly invoked: number; done: number; response: SimResponse | null };
/** One client request, sent once or several times. */
export type ClientRequest = { readonly client: string; readonly request: SimRequest; readonly tries: Attempt[] };

export type Network = {
  readonly clientRequests: ClientRequest[];
  /** Thrown errors, each of which is a bug. */
  readonly bugs: string[];
  /** Lets an administrator enable or disable a tool. */
  readonly toggleTool: (tenant: TenantId, tool: string, on: boolean) => Promise<void>;
  readonly sendOnce: (sent: ClientRequest, slot: number, timeout_ms: number | null) => Promise<SimResponse | null>;
  readonly jobs: JobsState | null;
  readonly changes: ChangesState | null;
  /** Starts all processes, which restart after a crash. */
  readonly boot: () => void;
  /** Stops a process gracefully, so that its worker finishes its current work. */
  readonly deploy: (slot: number) => void;
  readonly close: () => void;
};

export const SLOTS = 2;

export function createNetwork(world: World, durable: DurableState): Network {
  const servers: Server[] = [];
  const clientRequests: ClientRequest[] = [];
  const bugs: string[] = [];
  let sequence = 0;

  function serverAt(slot: number): Server {
    const current = servers[slot];
    if (current?.process.alive) return current;
    const started = startServer(world, slot, durable, onBug);
    servers[slot] = started;
    if (durable.jobs) started.process.onDeath.push(() => void restart(slot, started.process.id));
    return started;
  }

  async function restart(slot: number, died: number): Promise<void> {
    await world.wait(null, "restart", Math.floor(200 + 3000 * roll(world.seed, STREAMS.restart, died)));
    serverAt(slot);
  }

  function onBug(error: unknown): void {
    bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  async function tryServe(server: Server, request: SimRequest): Promise<SimResponse | null> {
    try {
      const answer = await serve(world, server, durable, request);
      // The turn is committed, but the response is lost.
      return world.fault("respond", { lose: 1 }) ? null : answer;
    } catch (error) {
      onBug(error);
      return null;
    }
  }

  return {
    clientRequests,
    bugs,
    jobs: durable.jobs,
    changes: durable.changes,
    boot: () => {
      for (let slot = 0; slot < (durable.jobs?.slots ?? 0); slot += 1) serverAt(slot);
    },
    deploy: (slot) => {
      const { worker, process } = serverAt(slot);
      void worker?.drain().then(() => world.die(process));
    },
    close: returnApps,
    async toggleTool(tenant, tool, on) {
      // In "changes" histories a client requests this, so that its effects can be checked.
      if (durable.changes) return;
      const current = await durable.settings.load(tenant);
      if (!current.ok) return;
      const { version, settings } = current.value;
      await durable.settings.save(tenant, { ...settings, tools: { ...settings.tools, [tool]: on } }, version);
    },
    async sendOnce(sent, slot, timeout_ms) {
      const server = serverAt(slot);
      const attemptRecord: Attempt = { invoked: sequence++, done: Number.POSITIVE_INFINITY, response: null };
      sent.tries.push(attemptRecord);
      const answer = await new Promise<SimResponse | null>((resolve) => {
        server.process.onDeath.push(() => resolve(null));
        void tryServe(server, sent.request).then(resolve);
        if (timeout_ms !== null) void world.wait(null, "impatience", timeout_ms).then(() => resolve(null));
      });
      attemptRecord.response = answer;
      if (answer) attemptRecord.done = sequence++;
      world.trace.note(`> ${sent.client} ${answer ? `${answer.code} ${answer.body.length}` : "lost"}`);
      return answer;
    },
  };
}
