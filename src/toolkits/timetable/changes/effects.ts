// Resending is safe: a write whose effect id the document remembers changes nothing and answers as it did.

import { type Changes, changed, type Done, type Outcome } from "../outcome.ts";
import { type AppliedEffect, type Calendar, REMEMBERED_EFFECTS } from "../schema/calendar.ts";

export const appliedEffect = (calendar: Calendar, effectId: string): AppliedEffect | null =>
  calendar.applied_effects.find((one) => one.effect_id === effectId) ?? null;

const replayed = (calendar: Calendar, effect: AppliedEffect): Done<Changes> =>
  changed(calendar, effect.text, effect.changes);

/** A refusal is not remembered: nothing happened that could happen twice. */
export function once(
  calendar: Calendar,
  effectId: string,
  tool: string,
  write: (calendar: Calendar) => Outcome<Changes>,
): Outcome<Changes> {
  const known = appliedEffect(calendar, effectId);
  if (known) return replayed(calendar, known);
  const outcome = write(calendar);
  if (!outcome.ok) return outcome;
  const { text, data } = outcome;
  const effect: AppliedEffect = { effect_id: effectId, tool, text, changes: [...data.changes] };
  const applied_effects = [...outcome.calendar.applied_effects, effect].slice(-REMEMBERED_EFFECTS);
  return { ...outcome, calendar: { ...outcome.calendar, applied_effects } };
}
