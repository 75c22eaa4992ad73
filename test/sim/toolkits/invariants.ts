// Checks what must hold for toolkits with state. It is derived from the calls in the logs, from the order in which
// documents were saved, and from what desktop workers typed, but never from what the tools report about themselves.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";
import type { Entry } from "../../../src/schema/record.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import { calendarFollowsCalls } from "./calendar-invariant.ts";
import type { Outside, SavedDocument } from "./outside.ts";
import type { Services } from "./services.ts";
import { serviceViolations } from "./services-invariants.ts";

/** A call with an effect, as its thread recorded it before it ran, and how it ended. */
export type RecordedCall = {
  readonly thread: string;
  readonly effect: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The last result that the tool itself reported; undefined if the call is not settled or a person settled it. */
  readonly success: boolean | null | undefined;
};
export type Calls = ReadonlyMap<string, RecordedCall>;
type Rows = readonly { readonly entry: Entry; readonly state: ThreadState }[];

export async function toolkitViolations(
  data: MemoryData,
  outside: Outside,
  services: Services,
  calendar: string,
): Promise<readonly string[]> {
  const threads = [...data.records]
    .filter(([key]) => key.includes("/thr_"))
    .map(([key, rows]) => ({
      id: key.split("/")[1] ?? "",
      rows: rows.map(({ entry, state }) => ({ entry: JSON.parse(entry), state: JSON.parse(state) })) as Rows,
    }));
  const calls: Calls = new Map(threads.flatMap(callsIn).map((call) => [call.effect, call]));
  return [
    ...threads.flatMap(({ id, rows }) => [...restViolations(id, rows), ...todoFollowsCalls(id, rows)]),
    ...(await calendarFollowsCalls(calls, outside, calendar)),
    ...memoriesGrowByOne(calls, outside),
    ...textsAreTypedOnce(calls, outside),
    ...threads.flatMap(({ id }) => timetableFollowsCalls(calls, id, outside)),
    ...serviceViolations(data, threads, [...calls.values()], services),
  ];
}

function callsIn({ id, rows }: { readonly id: string; readonly rows: Rows }): readonly RecordedCall[] {
  const calls = new Map<string, RecordedCall>();
  for (const { entry } of rows) {
    for (const { kind, effect_id, name, success } of entry.receipts) {
      if (effect_id === null) continue;
      const before = calls.get(effect_id);
      if (kind === "intended" && !before && entry.call)
        calls.set(effect_id, {
          thread: id,
          effect: effect_id,
          tool: name,
          arguments: entry.call.arguments ?? {},
          success: undefined,
        });
      if (kind === "settled" && before && entry.input?.type !== "resolve") calls.set(effect_id, { ...before, success });
    }
  }
  return [...calls.values()];
}

const restViolations = (id: string, rows: Rows): readonly string[] => {
  const { machine } = rows.at(-1)?.state ?? {};
  return machine?.state === "rest" || machine?.state === "failed" ? [] : [`T6 ${id} did not come to rest`];
};

/**
 * Checks that a call that reports success took effect once, one that reports failure did not, and no other effect
 * exists.
 */
export function effectsMatch(
  label: string,
  calls: Calls,
  tools: readonly string[],
  effects: readonly string[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  const unknown = [...counts].flatMap(([effect, count]) => {
    const call = calls.get(effect);
    if (!call || !tools.includes(call.tool)) return [`${label} effect ${effect} has no recorded call`];
    return count > 1 ? [`${label} ${call.tool} ${effect} took effect ${count} times`] : [];
  });
  const wrong = [...calls.values()].flatMap(({ effect, tool, success }) => {
    if (!tools.includes(tool)) return [];
    if (success === true && !counts.has(effect)) return [`${label} ${tool} ${effect} is reported, but did not happen`];
    return success === false && counts.has(effect)
      ? [`${label} ${tool} ${effect} happened, but is reported as failed`]
      : [];
  });
  return [...unknown, ...wrong];
}

type StoredMemory = { readonly name: string; readonly text: string; readonly version: number; readonly effect: string };

/** Checks that every save of a memory adds one version, from another call, with the words of that call. */
function memoriesGrowByOne(calls: Calls, { saves }: Outside): readonly string[] {
  const versions = new Map<string, StoredMemory>();
  const effects: string[] = [];
  const wrong = saves.flatMap(({ at, value }) => {
    if (at.kind !== "memory") return [];
    return (value as { readonly memories: readonly StoredMemory[] }).memories.flatMap((memory) => {
      const before = versions.get(memory.name);
      if (before?.version === memory.version && before.effect === memory.effect) return [];
      versions.set(memory.name, memory);
      effects.push(memory.effect);
      const call = calls.get(memory.effect)?.arguments;
      const isNext = memory.version === (before?.version ?? 0) + 1;
      const isAsCalled = call?.name === memory.name && call.text === memory.text;
      return [
        ...(isNext ? [] : [`T2 ${memory.name} went from ${before?.version ?? 0} to ${memory.version}`]),
        ...(isAsCalled ? [] : [`T2 version ${memory.version} of ${memory.name} is not what was called`]),
      ];
    });
  });
  return [...wrong, ...effectsMatch("T2", calls, ["memory_save"], effects)];
}

/**
 * Checks that a message is typed at most once, exactly as in its call, and that one that is reported as sent was typed.
 */
function textsAreTypedOnce(calls: Calls, { typed }: Outside): readonly string[] {
  const effects = typed.map(({ id }) => id);
  return [
    ...effectsMatch("T3", calls, ["channel_send_text"], effects),
    ...typed.flatMap(({ id, text, to }) => {
      const call = calls.get(id)?.arguments;
      return call?.text === text && call.to === to ? [] : [`T3 ${id} was typed as ${JSON.stringify(text)} to ${to}`];
    }),
  ];
}

type Timetable = { readonly tasks: unknown; readonly applied_effects: readonly { readonly effect_id: string }[] };

/** Checks that there is one save per call, and that an undo restores the state before the previous call. */
function timetableFollowsCalls(calls: Calls, thread: string, { saves }: Outside): readonly string[] {
  const states = saves
    .filter(({ at }: SavedDocument) => at.kind === "calendar" && at.id === thread)
    .map(({ value }) => value as Timetable);
  const effects = states.map(({ applied_effects }) => applied_effects.at(-1)?.effect_id ?? "");
  const tasksAt = (i: number): string => canonicalJson(i < 0 ? sampleSemester().tasks : states[i]?.tasks);
  const wrong = effects.flatMap((effect, i) =>
    calls.get(effect)?.tool === "undo_last_change" && tasksAt(i) !== tasksAt(i - 2)
      ? [`T4 ${thread}: ${effect} did not restore what the call before it changed`]
      : [],
  );
  const own = new Map([...calls].filter(([effect]) => effects.includes(effect)));
  return [...wrong, ...effectsMatch("T4", own, ["move", "undo_last_change"], effects)];
}

type Item = { readonly id?: string; readonly content: string; readonly status?: string };

/** Checks that the list is what the successful calls wrote, in their order. */
function todoFollowsCalls(id: string, rows: Rows): readonly string[] {
  const expected = new Map<string, string>();
  return rows.flatMap(({ entry, state }, version) => {
    const settled = entry.receipts.find(({ name, kind, success }) => name === "todo" && kind === "settled" && success);
    const { items = [], merge } = (entry.call?.arguments ?? {}) as { items?: readonly Item[]; merge?: boolean };
    if (settled && items.length > 0) {
      if (!merge) expected.clear();
      for (const { id: given, content } of items) expected.set(given ?? "1", content);
    }
    const stored = new Map(state.todo.map((item) => [item.id, item.content]));
    return canonicalJson(Object.fromEntries(stored)) === canonicalJson(Object.fromEntries(expected))
      ? []
      : [`T5 record ${version} of ${id} has ${JSON.stringify([...stored])}, not ${JSON.stringify([...expected])}`];
  });
}
