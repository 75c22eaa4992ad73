// Between people and processes: requests go to one of two processes, answers can get lost, and everything is written down.
import type { TenantId } from "../../src/schema/ids.ts";
import type { ChangesFacts } from "./changes/facts.ts";
import type { JobsFacts } from "./jobs/facts.ts";
import { roll, STREAMS } from "./random.ts";
import { serve } from "./serve.ts";
import type { Answer, Durable, Request, Server } from "./server.ts";
import { startServer } from "./server.ts";
import { leaveApps } from "./web-app.ts";
import type { World } from "./world.ts";

/** One try of a request. `answer` null: nobody knows what became of it. */
export type Try = { readonly invoked: number; done: number; answer: Answer | null };
/** One wish of a client, sent once or several times. */
export type Wish = { readonly client: string; readonly request: Request; readonly tries: Try[] };

export type Network = {
  readonly wishes: Wish[];
  /** Errors that were thrown: each one is a bug. */
  readonly bugs: string[];
  /** An administrator switches a tool. */
  readonly toggle: (tenant: TenantId, tool: string, on: boolean) => Promise<void>;
  readonly send: (wish: Wish, slot: number, patience: number | null) => Promise<Answer | null>;
  readonly jobs: JobsFacts | null;
  readonly changes: ChangesFacts | null;
  /** Every process is there, and comes back when it dies. */
  readonly boot: () => void;
  /** A process is told to stop: its worker finishes what it has in hand. */
  readonly deploy: (slot: number) => void;
  readonly close: () => void;
};

export const SLOTS = 2;

export function createNetwork(world: World, durable: Durable): Network {
  const servers: Server[] = [];
  const wishes: Wish[] = [];
  const bugs: string[] = [];
  let order = 0;

  function serverAt(slot: number): Server {
    const held = servers[slot];
    if (held?.process.alive) return held;
    const fresh = startServer(world, slot, durable, onBug);
    servers[slot] = fresh;
    if (durable.jobs) fresh.process.onDeath.push(() => void restart(slot, fresh.process.id));
    return fresh;
  }

  async function restart(slot: number, died: number): Promise<void> {
    await world.wait(null, "restart", Math.floor(200 + 3000 * roll(world.seed, STREAMS.restart, died)));
    serverAt(slot);
  }

  function onBug(error: unknown): void {
    bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  async function attempt(server: Server, request: Request): Promise<Answer | null> {
    try {
      const answer = await serve(world, server, durable, request);
      // The turn is done and the line is cut.
      return world.fault("respond", { lose: 1 }) ? null : answer;
    } catch (error) {
      onBug(error);
      return null;
    }
  }

  return {
    wishes,
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
    close: leaveApps,
    async toggle(tenant, tool, on) {
      // There somebody asks for it, so that what follows can be known.
      if (durable.changes) return;
      const held = await durable.settings.load(tenant);
      if (!held.ok) return;
      const { version, settings } = held.value;
      await durable.settings.save(tenant, { ...settings, tools: { ...settings.tools, [tool]: on } }, version);
    },
    async send(wish, slot, patience) {
      const server = serverAt(slot);
      const tried: Try = { invoked: order++, done: Number.POSITIVE_INFINITY, answer: null };
      wish.tries.push(tried);
      const answer = await new Promise<Answer | null>((resolve) => {
        server.process.onDeath.push(() => resolve(null));
        void attempt(server, wish.request).then(resolve);
        if (patience !== null) void world.wait(null, "impatience", patience).then(() => resolve(null));
      });
      tried.answer = answer;
      if (answer) tried.done = order++;
      world.trace.note(`> ${wish.client} ${answer ? `${answer.code} ${answer.body.length}` : "lost"}`);
      return answer;
    },
  };
}
