// Plays histories of the toolkits with state: calendar, timetable, memory, to-do list and messages over a desktop
// queue. Two processes share them, crash, lose replies and save twice. Users approve, reject and resolve doubts.
import { createSchedulesPort } from "../../../src/jobs/tool-ports.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import type { Schedules } from "../../../src/ports/schedules.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadId } from "../../../src/schema/ids.ts";
import type { CreateInput, TurnInput } from "../../../src/schema/input.ts";
import type { Result } from "../../../src/schema/problem.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { createThread } from "../../../src/threads/create.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { OFFICE_HOURS } from "../../../src/toolkits/calendar/store/head.ts";
import type { Advanced } from "../../../src/turn/advance.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { attachTestThread, unwrap } from "../../support/runtime.ts";
import {
  type Cast,
  type CastOptions,
  type CastServer,
  playCast,
  type ServerAt,
  untilAnswered,
} from "../cast/play-cast.ts";
import { faultyDocuments } from "../ports.ts";
import { createRandom, type Random, roll, STREAMS } from "../random.ts";
import type { HistoryPlan, World } from "../world.ts";
import { toolkitViolations } from "./invariants.ts";
import { type ReplyCount, toolkitModel } from "./model.ts";
import { createOutside } from "./outside.ts";
import { createServices, type ServicePorts, servicePorts } from "./services.ts";
import { TOOLKITS, type ToolOwner } from "./toolbox.ts";

export type ToolkitSabotage = {
  readonly documents?: (documents: DocumentStore) => DocumentStore;
  readonly services?: (ports: ServicePorts) => ServicePorts;
  readonly schedules?: (schedules: Schedules) => Schedules;
  readonly store?: (store: ThreadStore) => ThreadStore;
};

const PEOPLE = 3;
const TIME_ZONE = "Europe/Berlin";
/** The share of histories in which everybody starts with an event, and no calendar exists yet or none has events. */
const FIRST_CALENDAR_SHARE = 0.3;
/** The id of the first calendar of a tenant, however it is created. */
const FIRST_CALENDAR_ID = "cal_1";
const TURNS = 9;
const DESKTOP_ROUNDS = 40;
const SETTLE_TURNS = 30;
const REQUESTED = ["calendar", "timetable", "memory", "channels", "data", "mcp_desk"];

export async function playToolkits(plan: HistoryPlan, options: CastOptions = {}, sabotage: ToolkitSabotage = {}) {
  const played = await playCast(plan, { ...options, brokenStore: sabotage.store }, (world) =>
    toolkitCast(world, sabotage),
  );
  TOOLKITS.returnAll();
  return played;
}

/** One list for all histories, so that they share resolved tools. */
const PARTS = ["data"];

function toolkitCast(world: World, sabotage: ToolkitSabotage): Cast {
  const outside = createOutside(world, sabotage.documents ?? ((inner) => inner));
  const services = createServices();
  const isContested = roll(world.seed, STREAMS.first_calendar, 0) < FIRST_CALENDAR_SHARE;
  const replies: ReplyCount = { count: 0, events_first: isContested ? PEOPLE : 0 };
  const calendar = FIRST_CALENDAR_ID;
  return {
    prepare: async () => {
      if (isContested && roll(world.seed, STREAMS.first_calendar, 1) < 0.5) return;
      const calendars = createCalendarStore(outside.documents);
      const settings = { name: "Work", time_zone: TIME_ZONE, working_hours: OFFICE_HOURS, make_default: true };
      const created = unwrap(
        await calendars.create(LOCAL_TENANT, { ...settings, owner: "ada", created_at: 0, key: "one" }),
      );
      if (created.entry.id !== calendar) throw new Error(`the first calendar is ${created.entry.id}`);
    },
    server: (process) => {
      const ports = servicePorts(world, process, services);
      const owner: ToolOwner = {
        clock: world.clockOf(process),
        documents: faultyDocuments(world, process, outside.documents),
        services: sabotage.services?.(ports) ?? ports,
        schedules: null,
      };
      const onStart = (rt: Runtime): null => {
        const schedules = createSchedulesPort(rt);
        owner.schedules = sabotage.schedules?.(schedules) ?? schedules;
        return null;
      };
      return {
        model: toolkitModel(world, process, replies),
        toolbox: TOOLKITS.borrow(owner),
        parts: PARTS,
        time_zone: TIME_ZONE,
        onStart,
      };
    },
    people: (serverAt) =>
      Promise.all([
        outside.runDesktopWorkers(DESKTOP_ROUNDS),
        ...Array.from({ length: PEOPLE }, (_, i) => simulatePerson(world, serverAt, i, i === 0 || isContested)),
      ]),
    settle: async (serverAt, data) => {
      const workers = outside.runDesktopWorkers(DESKTOP_ROUNDS);
      for (const [key, rows] of data.records) {
        const head = () => JSON.parse(rows.at(-1)?.state ?? "{}") as ThreadState;
        if (key.includes("/thr_")) await finish(world, serverAt, key.split("/")[1] as ThreadId, head);
      }
      await workers;
    },
    violations: (data) => toolkitViolations(data, outside, services, calendar),
  };
}

async function simulatePerson(world: World, serverAt: ServerAt, i: number, approves: boolean): Promise<void> {
  const name = `person-${i}`;
  const input: CreateInput = {
    goal: `Work of ${name}`,
    mode: "direct",
    toolkits: REQUESTED,
    ...(approves ? { auto_approve: ["create_event", "undo_calendar_change", "move", "undo_last_change"] } : {}),
  };
  const create = ({ rt }: CastServer) => createThread(rt, { tenant: LOCAL_TENANT, actor: name, input, key: null });
  const thread = await untilAnswered(world, serverAt, i, create, (made) =>
    made.ok ? made.value.outcome.thread.id : null,
  );
  if (!thread) return;
  let next: TurnInput | null = null;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const random = createRandom(world.seed, 61 + i, turn);
    const server = serverAt(random.int(2));
    const died = new Promise<null>((resolve) => server.process.onDeath.push(() => resolve(null)));
    const sent: Result<Advanced> | null = await Promise.race([
      attachTestThread(server.rt, thread).turn(next, { actor: name }),
      died,
    ]);
    next = sent?.ok ? answerTo(random, sent.value.outcome.thread.gate) : null;
    if (!sent?.ok) await world.wait(null, "retry", 200 + random.int(3_000));
  }
}

/**
 * Answers a gate. A doubt is never answered with a claim about what happened, because only the tool's own results are
 * checked.
 */
function answerTo(random: Random, gate: ThreadState["gate"]): TurnInput | null {
  if (gate?.kind === "doubt")
    return { type: "resolve", gate_id: gate.id, outcome: random.pick(["try_again", "try_again", "abort"]) };
  if (gate?.kind === "question")
    return { type: "answer", gate_id: gate.id, text: random.chance(0.8) ? `Topic ${random.int(1000)}` : "decline" };
  if (gate?.kind !== "confirmation") return null;
  const decision = random.chance(0.85) ? "approve" : "reject";
  return { type: "confirm", gate_id: gate.id, digest: gate.digest, decision };
}

/** Finishes without faults: running work settles, and every open gate is closed. */
async function finish(world: World, serverAt: ServerAt, thread: ThreadId, head: () => ThreadState): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn += 1) {
    const { machine, gate } = head();
    if (machine.state === "rest" || machine.state === "failed") return;
    const sent = await attachTestThread(serverAt(0).rt, thread).turn(closingInput(gate));
    const wait = sent.ok ? 1 : sent.problem.details?.retry_after_s;
    await world.wait(null, "settle", 1000 * (typeof wait === "number" ? wait : 5));
  }
}

function closingInput(gate: ThreadState["gate"]): TurnInput | null {
  if (gate?.kind === "doubt") return { type: "resolve", gate_id: gate.id, outcome: "abort" };
  return gate ? { type: "cancel" } : null;
}
