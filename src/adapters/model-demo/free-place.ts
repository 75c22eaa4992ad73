// Where something can go: asks the calendar for candidates within what was said, and the user where that leaves a choice.
import { type Act, ask, isAct, look } from "./act.ts";
import { isOneDay, PARTS, type Where } from "./places.ts";
import { labelOf } from "./speak.ts";
import { candidatesIn, type Place, type TaskFact } from "./tasks.ts";
import type { Scene } from "./workflow.ts";

const DEFAULT_SLOTS = 2;
const CHOICES = 4;

/** A free place for the task, or what has to happen before one is known. */
export function freePlace(scene: Scene, task: TaskFact): Act | Place {
  const { wish, words } = scene;
  const found = candidates(scene, wish.where, task.duration);
  if (isAct(found)) return found;
  const [best] = found.places;
  if (!best) return elsewhere(scene, task.duration);
  if (isOneDay(wish.where) || wish.where.anywhere) return best;
  return ask(scene, words.where_to(labelOf(task)), choices(scene, found.places));
}

/** All of them: the list is what was asked for. */
export const freePlaces = (scene: Scene): Act | { readonly places: readonly Place[] } =>
  candidates(scene, scene.wish.where, scene.wish.duration ?? DEFAULT_SLOTS);

function candidates(scene: Scene, where: Where, slots: number): Act | { readonly places: readonly Place[] } {
  const seen = look(scene, "query_available_slots", queryFor(where, slots), scene.words.looking.find);
  return isAct(seen) ? seen : { places: candidatesIn(seen.text) };
}

/** Nothing at that time of the day: what else does the day have? */
function elsewhere(scene: Scene, slots: number): Act {
  const { wish, words } = scene;
  const none: Act = { do: "stop", message: words.no_room };
  if (wish.where.slot === null && wish.where.part === null) return none;
  const wider = candidates(scene, { ...wish.where, slot: null, part: null }, slots);
  if (isAct(wider)) return wider;
  return wider.places.length > 0 ? ask(scene, words.taken, choices(scene, wider.places)) : none;
}

/** Different days first: four places of one morning are no choice. */
function choices({ words }: Scene, places: readonly Place[]): string[] {
  const firsts = places.filter((place, i) => places.findIndex((one) => one.day === place.day) === i);
  return [...firsts, ...places.filter((place) => !firsts.includes(place))].slice(0, CHOICES).map(words.place);
}

function queryFor(where: Where, slots: number): Record<string, unknown> {
  const { day, week, weekday, slot, part, earliest } = where;
  const sections = slot !== null ? [slot, Math.min(12, slot + slots - 1)] : part !== null ? PARTS[part] : null;
  return {
    duration: slots,
    ...(day === null ? {} : { day }),
    ...(day !== null || week === null ? {} : { week }),
    ...(day !== null || weekday === null ? {} : { day_of_week: [weekday] }),
    ...(day !== null || weekday !== null ? {} : { day_scope: "workday" }),
    ...(sections === null ? {} : { section_from: sections[0], section_to: sections[1] }),
    order: earliest ? "earliest" : "lightest",
    limit: isOneDay(where) ? 6 : 24,
    allow_embed: false,
  };
}
