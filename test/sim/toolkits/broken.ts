// Defines deliberately broken documents, schedules and services, each with one defect outside the toolkits.
import type { McpCall, McpServer } from "../../../src/ports/data/mcp-server.ts";
import type { DocumentRef, DocumentStore } from "../../../src/ports/documents.ts";
import type { ScheduleCreateRequest, Schedules } from "../../../src/ports/schedules.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import type { ServicePorts } from "./services.ts";
import type { ToolkitSabotage } from "./toolkits-history.ts";

type Broken = ToolkitSabotage & {
  readonly name: string;
  readonly caughtBy: RegExp;
  /** The first seed to try, because only a rare coincidence shows the defect. A seed soon after this one does. */
  readonly from?: number;
};
type Change = (value: Record<string, unknown>) => Record<string, unknown>;

const changed = (at: DocumentRef, kind: string, value: unknown, change: Change): unknown =>
  at.kind === kind ? change(value as Record<string, unknown>) : value;

/** Changes every document of a kind on its way to the store. */
const onSave = (kind: string, change: Change) => (inner: DocumentStore) => ({
  ...inner,
  save: (...[at, value, over]: Parameters<DocumentStore["save"]>) =>
    inner.save(at, changed(at, kind, value, change), over),
});

const onLoad = (kind: string, change: Change) => (inner: DocumentStore) => ({
  ...inner,
  load: async (at: DocumentRef) => {
    const loaded = await inner.load(at);
    if (!loaded.ok || !loaded.value) return loaded;
    return { ok: true as const, value: { ...loaded.value, value: changed(at, kind, loaded.value.value, change) } };
  },
});

const mapList =
  (field: string, change: Change): Change =>
  (value) => ({ ...value, [field]: (value[field] as Record<string, unknown>[]).map(change) });

const onSchedule = (change: (request: ScheduleCreateRequest) => ScheduleCreateRequest) => (inner: Schedules) => ({
  ...inner,
  create: (...[tenant, request]: Parameters<Schedules["create"]>) => inner.create(tenant, change(request)),
});

const onMcpCall =
  (call: (inner: McpServer, request: McpCall) => ReturnType<McpServer["call"]>) => (ports: ServicePorts) => ({
    ...ports,
    mcp: { ...ports.mcp, call: (request: McpCall) => call(ports.mcp, request) },
  });

/** Drops the information that a thread contains untrusted text. */
const withoutTaint = (inner: ThreadStore): ThreadStore => ({
  ...inner,
  append: (at, record, also) => {
    const state = JSON.parse(record.state) as Record<string, unknown>;
    return inner.append(at, { ...record, state: JSON.stringify({ ...state, taint: null }) }, also);
  },
});
let created = 0;

const BROKEN_SERVICES: readonly Broken[] = [
  {
    name: "a reminder is set an hour late",
    schedules: onSchedule(({ input, ...request }) => {
      const { when } = input;
      const at = when.kind === "once" ? new Date(Date.parse(when.at) + 3_600_000).toISOString() : "";
      return { ...request, input: { ...input, when: { kind: "once", at } } };
    }),
    caughtBy: /^T7 .* was not called like that/,
  },
  {
    name: "a reminder that is set again is another one",
    schedules: onSchedule((request) => ({ ...request, key: `${request.key}-${created++}` })),
    caughtBy: /^T7 .* set [2-9] reminders/,
    from: 60,
  },
  {
    name: "a statement is sent to the database without being judged",
    services: (ports) => ({ ...ports, judge: async (sql) => ({ ok: true, value: sql }) }),
    caughtBy: /^T8 the database ran/,
  },
  {
    name: "rows of a database and results of a server are trusted",
    store: withoutTaint,
    caughtBy: /^T8 .* is not tainted/,
  },
  {
    name: "an MCP server gets an answer that nobody gave",
    services: onMcpCall((inner, { answers, ...request }) =>
      inner.call({ ...request, answers: answers ?? { topic: { action: "accept", content: { topic: "any" } } } }),
    ),
    caughtBy: /^T9 .* which nobody named/,
  },
  {
    name: "an answered call is sent to its MCP server twice",
    services: onMcpCall(async (inner, request) => {
      if (request.answers) await inner.call(request);
      return inner.call(request);
    }),
    caughtBy: /^T9 .* was filed [2-9] times/,
  },
];

export const BROKEN_TOOLKITS: readonly Broken[] = [
  ...BROKEN_SERVICES,
  {
    name: "a change of the calendar is not found by its key",
    documents: onLoad(
      "calendar_heads",
      mapList("changes", (one) => ({ ...one, key: `${String(one.key)}?` })),
    ),
    caughtBy: /^T1 .*(?:took effect 2 times|has no recorded call)/,
  },
  {
    name: "an undo of the calendar takes nothing back",
    documents: onSave(
      "calendar_heads",
      mapList("changes", (one) => ({ ...one, before: one.before && {} })),
    ),
    caughtBy: /^T1 the calendar has/,
  },
  {
    name: "the first write of a calendar replaces what another process wrote",
    documents: (inner) => ({
      ...inner,
      save: async (at, value, over) => {
        const newest = at.kind === "calendar_heads" && over === 0 ? await inner.load(at) : null;
        return inner.save(at, value, newest?.ok ? (newest.value?.version ?? 0) : over);
      },
    }),
    caughtBy: /^T1 the calendar has/,
  },
  {
    name: "a memory forgets which call saved it",
    documents: onLoad(
      "memory",
      mapList("memories", (one) => ({ ...one, effect: "none", previous: [] })),
    ),
    caughtBy: /^T2 .* took effect 2 times/,
  },
  {
    name: "a memory is saved over a newer version",
    documents: (inner) => ({
      ...inner,
      save: async (at, value, over) => {
        const newest = await inner.load(at);
        return inner.save(at, value, at.kind === "memory" && newest.ok ? (newest.value?.version ?? 0) : over);
      },
    }),
    caughtBy: /^T2 /,
  },
  {
    name: "a message that a worker has started is given to another one",
    documents: onLoad(
      "desktop",
      mapList("tasks", (one) => (one.state === "started" ? { ...one, state: "claimed" } : one)),
    ),
    caughtBy: /^T3 .* took effect 2 times/,
  },
  {
    name: "an undo of the timetable restores nothing",
    documents: onSave("calendar", (value) => ({
      ...value,
      previous: value.previous && { what: "a change", placements: [] },
    })),
    caughtBy: /^T4 .* did not restore/,
    from: 150,
  },
];
