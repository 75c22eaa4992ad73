// Finds a free place. Asks the calendar for candidates that meet the user's constraints, and asks the user if several
// remain.
import { ask, isNextAction, type NextAction, observe } from "./next-action.ts";
import { DAY_PARTS, isOneDay, type PlaceConstraint } from "./place-constraint.ts";
import { candidatesIn, type ListedTask, type Place } from "./tasks.ts";
import type { DemoContext } from "./workflow.ts";

const DEFAULT_SLOTS = 2;
const CHOICES_MAX = 4;

export function freePlace(context: DemoContext, task: ListedTask): NextAction | Place {
  const { request, phrases } = context;
  const found = candidates(context, request.where, task.duration);
  if (isNextAction(found)) return found;
  const [best] = found.places;
  if (!best) return suggestAlternatives(context, task.duration);
  if (isOneDay(request.where) || request.where.anywhere) return best;
  return ask(context, phrases.where_to(task.name), choices(context, found.places));
}

/** For a user who asks for the list of free places. */
export const freePlaces = (context: DemoContext): NextAction | Places =>
  candidates(context, context.request.where, context.request.duration ?? DEFAULT_SLOTS);

type Places = { readonly places: readonly Place[] };

function candidates(context: DemoContext, where: PlaceConstraint, slots: number): NextAction | Places {
  const observation = observe(context, "query_available_slots", queryFor(where, slots), context.phrases.lookups.find);
  return isNextAction(observation) ? observation : { places: candidatesIn(observation.text) };
}

/** Offers other times of the same day. */
function suggestAlternatives(context: DemoContext, slots: number): NextAction {
  const { request, phrases } = context;
  const none: NextAction = { kind: "stop", message: phrases.no_room };
  if (request.where.slot === null && request.where.part === null) return none;
  const alternatives = candidates(context, { ...request.where, slot: null, part: null }, slots);
  if (isNextAction(alternatives)) return alternatives;
  const { places } = alternatives;
  return places.length > 0 ? ask(context, phrases.place_taken, choices(context, places)) : none;
}

/** Prefers different days, because four places on the same morning are not a real choice. */
function choices({ phrases }: DemoContext, places: readonly Place[]): string[] {
  const firstPerDay = places.filter((place, i) => places.findIndex((one) => one.day === place.day) === i);
  return [...firstPerDay, ...places.filter((place) => !firstPerDay.includes(place))]
    .slice(0, CHOICES_MAX)
    .map(phrases.place);
}

function queryFor(where: PlaceConstraint, slots: number): Record<string, unknown> {
  const { day, week, weekday, slot, part, earliest } = where;
  const range = slot !== null ? [slot, Math.min(12, slot + slots - 1)] : part !== null ? DAY_PARTS[part] : null;
  return {
    duration: slots,
    ...(day === null ? {} : { day }),
    ...(day !== null || week === null ? {} : { week }),
    ...(day !== null || weekday === null ? {} : { day_of_week: [weekday] }),
    ...(day !== null || weekday !== null ? {} : { day_scope: "workday" }),
    ...(range === null ? {} : { slot_start: range[0], slot_end: range[1] }),
    order: earliest ? "earliest" : "lightest",
    limit: isOneDay(where) ? 6 : 24,
    allow_embed: false,
  };
}
