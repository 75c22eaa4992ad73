// Where something can go: asks the calendar for candidates within what was said, and the user where that leaves a choice.
import { ask, isNextAction, type NextAction, observe } from "./next-action.ts";
import { labelOf } from "./phrases.ts";
import { DAY_PARTS, isOneDay, type PlaceConstraint } from "./place-constraint.ts";
import { candidatesIn, type ListedTask, type Place } from "./tasks.ts";
import type { DemoContext } from "./workflow.ts";

const DEFAULT_SLOTS = 2;
const CHOICES_MAX = 4;

/** A free place for the task, or what has to happen before one is known. */
export function freePlace(context: DemoContext, task: ListedTask): NextAction | Place {
  const { request: wish, phrases: words } = context;
  const found = candidates(context, wish.where, task.duration);
  if (isNextAction(found)) return found;
  const [best] = found.places;
  if (!best) return suggestAlternatives(context, task.duration);
  if (isOneDay(wish.where) || wish.where.anywhere) return best;
  return ask(context, words.where_to(labelOf(task)), choices(context, found.places));
}

/** All of them: the list is what was asked for. */
export const freePlaces = (context: DemoContext): NextAction | { readonly places: readonly Place[] } =>
  candidates(context, context.request.where, context.request.duration ?? DEFAULT_SLOTS);

function candidates(
  context: DemoContext,
  where: PlaceConstraint,
  slots: number,
): NextAction | { readonly places: readonly Place[] } {
  const observation = observe(context, "query_available_slots", queryFor(where, slots), context.phrases.lookups.find);
  return isNextAction(observation) ? observation : { places: candidatesIn(observation.text) };
}

/** Nothing at that time of the day: what else does the day have? */
function suggestAlternatives(context: DemoContext, slots: number): NextAction {
  const { request: wish, phrases: words } = context;
  const none: NextAction = { kind: "stop", message: words.no_room };
  if (wish.where.slot === null && wish.where.part === null) return none;
  const alternatives = candidates(context, { ...wish.where, slot: null, part: null }, slots);
  if (isNextAction(alternatives)) return alternatives;
  return alternatives.places.length > 0 ? ask(context, words.place_taken, choices(context, alternatives.places)) : none;
}

/** Different days first: four places of one morning are no choice. */
function choices({ phrases: words }: DemoContext, places: readonly Place[]): string[] {
  const firstPerDay = places.filter((place, i) => places.findIndex((one) => one.day === place.day) === i);
  return [...firstPerDay, ...places.filter((place) => !firstPerDay.includes(place))]
    .slice(0, CHOICES_MAX)
    .map(words.place);
}

function queryFor(where: PlaceConstraint, slots: number): Record<string, unknown> {
  const { day, week, weekday, slot, part, earliest } = where;
  const sections = slot !== null ? [slot, Math.min(12, slot + slots - 1)] : part !== null ? DAY_PARTS[part] : null;
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
