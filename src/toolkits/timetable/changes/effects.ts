// Makes writes idempotent: a repeated effect id changes nothing and returns the stored result.
import { type CalendarResult, type Changes, succeed, succeedWithChanges } from "../result.ts";
import { APPLIED_EFFECTS_MAX, type AppliedEffect, type Calendar } from "../schema/calendar.ts";

export const appliedEffect = (calendar: Calendar, effectId: string): AppliedEffect | null =>
  calendar.applied_effects.find((one) => one.effect_id === effectId) ?? null;

/** Refusals are not stored, because repeating them has no effect. */
export function applyOnce(
  calendar: Calendar,
  effectId: string,
  tool: string,
  write: (calendar: Calendar) => CalendarResult<Changes>,
): CalendarResult<Changes> {
  const known = appliedEffect(calendar, effectId);
  if (known) return succeedWithChanges(calendar, known.text, known.changes);
  const result = write(calendar);
  if (!result.ok) return result;
  const { text, data, calendar: after } = result.value;
  const effect: AppliedEffect = { effect_id: effectId, tool, text, changes: [...data.changes] };
  const applied_effects = [...after.applied_effects, effect].slice(-APPLIED_EFFECTS_MAX);
  return succeed({ ...after, applied_effects }, text, data);
}
