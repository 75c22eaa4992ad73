// Provides the fixture of a story: the real app over HTTP on its own SQLite file, with a scripted model or the demo
// model. Tests of another store run the same stories: see story-store.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createScriptedModel, type ScriptEntry, type ScriptedModel } from "../../src/adapters/model-scripted.ts";
import type { Client } from "../../src/client/client.ts";
import { createNodeRuntime } from "../../src/hosts/node/node-runtime.ts";
import { loadConfig } from "../../src/hosts/shared/config.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Model } from "../../src/ports/model.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import type { Calendar } from "../../src/toolkits/timetable/schema/calendar.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import type { Runtime, RuntimeConfig } from "../../src/turn/runtime.ts";
import { createSqliteCalendarStore } from "./calendars.ts";
import { unwrap } from "./runtime.ts";
import { startTestServer } from "./server.ts";
import { openStoryBackend } from "./story-store.ts";

/** Creates the system clock, which a story can move forward. */
export function createAdjustableClock(): Clock & { skip(ms: number): void } {
  let skipped = 0;
  return {
    now: () => systemClock.now() + skipped,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    skip: (ms) => {
      skipped += ms;
    },
  };
}

export type StoryOptions = {
  /** The script of the model. The default is the demo model. */
  readonly script?: Iterable<ScriptEntry>;
  readonly model?: Model;
  /** Tools in addition to the bundled ones. */
  readonly tools?: readonly Tool[];
  /** The folder of another story, for a second instance of the same app. */
  readonly folder?: string;
  readonly config?: Partial<RuntimeConfig>;
};

export type Story = {
  readonly client: Client;
  readonly url: string;
  readonly folder: string;
  readonly file: string;
  readonly rt: Runtime;
  readonly model: ScriptedModel;
  readonly clock: ReturnType<typeof createAdjustableClock>;
  /** Returns the content of the thread's calendar, or null before the first write. */
  readonly calendar: (thread: string) => Promise<Calendar | null>;
  /** Waits for running work. The folder stays for other instances; `end` removes it. */
  readonly stop: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** A host other than this process. If it is set, all stories of the file run there. */
let storyHost: ((facts: StoryOptions) => Promise<Story>) | null = null;
export const setStoryHost = (other: typeof storyHost): void => {
  storyHost = other;
};

const ALL_TOOLKITS: RuntimeConfig["agents"] = { default: { instructions: "", tools: null, toolkits: "all" } };

export async function startStory(facts: StoryOptions = {}): Promise<Story> {
  if (storyHost) return storyHost(facts);
  const folder = facts.folder ?? mkdtempSync(join(tmpdir(), "pawl-story-"));
  const clock = createAdjustableClock();
  const embedded = unwrap(await createNodeRuntime(unwrap(await loadConfig(folder, {})), {}));
  const model = createScriptedModel(facts.script ?? [], { clock });
  const activeModel = facts.model ?? (facts.script ? model : null);
  embedded.rt.toolbox.register(...(facts.tools ?? []));
  const backend = await openStoryBackend(folder);
  embedded.rt.toolbox.register(...(backend?.tools ?? []));
  // The runtime is changed in place, because toolkits such as crew keep the runtime that they were created with.
  const rt: Runtime = Object.assign(embedded.rt, {
    ...backend?.parts,
    clock,
    ids: createIds(clock),
    // Stories use the tools of all toolkits.
    config: { ...embedded.rt.config, agents: ALL_TOOLKITS, ...facts.config },
    ...(activeModel ? { pickModel: () => activeModel } : {}),
  });
  const server = await startTestServer({ runtime: rt });
  const calendars = backend?.calendars ?? createSqliteCalendarStore(embedded.file);
  const calendar = async (thread: string) =>
    unwrap(await calendars.load({ tenant: LOCAL_TENANT, calendar: thread }))?.calendar ?? null;
  const stop = async (): Promise<void> => {
    await server.stop();
    await calendars.close();
    await embedded.close();
  };
  const end = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const { file } = embedded;
  return { client: server.client(), url: server.url, folder, file, rt, model, clock, calendar, stop, end };
}

type ConfirmableGate = Extract<Gate, { digest: string }>;

const confirmFields = (
  gate: Gate | null,
): Pick<Extract<TurnInput, { type: "confirm" }>, "type" | "gate_id" | "digest"> => {
  if (!gate || !("digest" in gate)) throw new Error(`Nothing to confirm: ${gate?.kind ?? "no gate is open"}.`);
  const { id, digest }: ConfirmableGate = gate;
  return { type: "confirm", gate_id: id, digest };
};

export const approval = (gate: Gate | null, edited_arguments?: Record<string, unknown>): TurnInput => ({
  ...confirmFields(gate),
  decision: "approve",
  ...(edited_arguments ? { edited_arguments } : {}),
});

export const rejection = (gate: Gate | null, reason: string): TurnInput => ({
  ...confirmFields(gate),
  decision: "reject",
  reason,
});

/** Decisions for scripts. */
export const callTool = (name: string, args: Record<string, unknown>, action: "continue" | "confirm" = "continue") => ({
  action,
  speak: `Now ${name}.`,
  tool_call: { name, arguments: args },
});
export const doneDecision = { action: "done", goal_check: "the receipts show it" };

/** Returns the position of a task in a calendar as `day/first slot`. */
export const positionOf = (calendar: Calendar | null, id: number): string | null => {
  const [place] = calendar?.tasks.find((task) => task.state_id === id)?.slots ?? [];
  return place ? `${place.day}/${place.slot_start}` : null;
};
