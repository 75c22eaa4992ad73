// T1: the shared calendar is what its calls say, in the order in which they were saved: each create adds one event, and
// an undo reverts the newest change that is not undone yet.
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { unwrap } from "../../support/runtime.ts";
import { type Calls, effectsMatch } from "./invariants.ts";
import type { Outside } from "./outside.ts";

type Head = { readonly changes: readonly { readonly key: string }[] };

export async function calendarFollowsCalls(
  calls: Calls,
  { saves, documents }: Outside,
  calendar: string,
): Promise<readonly string[]> {
  const heads = saves.filter(({ at }) => at.kind === "calendar_heads");
  const effects = heads.flatMap(({ value }) => (value as Head).changes.at(-1)?.key ?? []);
  const titles: string[] = [];
  const wrong: string[] = [];
  for (const effect of effects) {
    const call = calls.get(effect);
    if (call?.tool === "create_event") titles.push(String(call.arguments.title));
    else if (titles.pop() === undefined) wrong.push(`T1 ${effect} took back a change that does not exist`);
  }
  const opened = await createCalendarStore(documents).open({ tenant: LOCAL_TENANT, calendar });
  // The first write creates the calendar, so there is none if no call was saved.
  const isMissing = !opened.ok && opened.problem.code === "calendar_not_found" && effects.length === 0;
  const stored = isMissing ? [] : unwrap(await unwrap(opened).all()).map((object) => titleOf(object));
  const expected = titles.toSorted().join(", ");
  const found = stored.toSorted().join(", ");
  if (found !== expected) wrong.push(`T1 the calendar has ${found}, and the calls made ${expected}`);
  return [...wrong, ...effectsMatch("T1", calls, ["create_event", "undo_calendar_change"], effects)];
}

const titleOf = (object: unknown): string => /"title":"([^"]*)"/.exec(JSON.stringify(object))?.[1] ?? "";
