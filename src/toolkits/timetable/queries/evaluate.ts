// Implements evaluate, which tells whether the schedule is good enough to stop. It suggests only possible improvements,
// so that repeated improvement terminates.
import type { z } from "zod";
import { argumentSchema, optionalInteger } from "../arguments.ts";
import { dayName, plural, positionText, taskLabel } from "../format.ts";
import { loadOf, slotCount } from "../occupancy.ts";
import { type CalendarResult, succeed } from "../result.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { firstFreePositionFor, firstHostPositionFor } from "./candidates.ts";
import { applyFilters, filterAliases, filterHints } from "./filters.ts";
import { deviation, imbalance, type Overlap, overlapsOf, roundToHundredths, ruleViolation } from "./measure.ts";

/** Days are balanced if the standard deviation of their loads, in slots, is at most this. */
export const BALANCED_DEVIATION = 1;
/** A move is suggested only if it reduces the imbalance by at least this ratio. */
export const GAIN_RATIO_MIN = 0.05;

export const evaluateArguments = argumentSchema(
  {
    day_start: optionalInteger(1, 366, "first day to look at; day 1 if left out"),
    day_end: optionalInteger(1, 366, "last day to look at; the last day if left out"),
  },
  { aliases: filterAliases, hints: filterHints },
);

export function evaluate(calendar: Calendar, args: z.infer<typeof evaluateArguments>): CalendarResult {
  const selection = applyFilters(calendar, args);
  if (!selection.ok) return selection;
  const analysis = analyze(calendar, workingDays(calendar, selection.value.days));
  const reasons = reasonsToContinue(analysis);
  return succeed(calendar, verdictText(calendar, analysis, reasons), {
    good_enough: reasons.length === 0,
    reasons,
    imbalance: roundToHundredths(analysis.balance),
    hard_conflicts: analysis.conflicts.map(({ a, b, day, resolution }) => ({
      tasks: [a.state_id, b.state_id],
      day,
      solved_by: resolution && { task_id: resolution.task.state_id, to: resolution.to },
    })),
    shared: analysis.shared.map(({ a, b, day }) => ({ tasks: [a.state_id, b.state_id], day })),
    pending: analysis.pending.map(({ task, position }) => ({ task_id: task.state_id, fits: position })),
    best_move: analysis.best && {
      task_id: analysis.best.task.state_id,
      to: analysis.best.to,
      imbalance: roundToHundredths(analysis.best.after),
    },
    rules_broken: analysis.broken.map((one) => ({ task_id: one.task.state_id, why: one.why })),
  });
}

type Analysis = ReturnType<typeof analyze>;

function analyze(calendar: Calendar, days: readonly number[]) {
  const balance = imbalance(calendar, days);
  const best = balance > BALANCED_DEVIATION ? bestMove(calendar, days, balance) : null;
  const pending = calendar.tasks.filter((task) => task.status === "pending");
  const { conflicts, shared } = overlapsOf(calendar);
  return {
    conflicts: conflicts.map((conflict) => ({ ...conflict, resolution: findResolution(calendar, conflict) })),
    shared,
    days,
    balance,
    best: best !== null && best.gain >= balance * GAIN_RATIO_MIN ? best : null,
    pending: pending.map((task) => ({ task, position: findPosition(calendar, task) })),
    broken: ruleViolations(calendar),
  };
}

function reasonsToContinue({ conflicts, pending, best }: Analysis): string[] {
  const solvable = conflicts.filter(({ resolution }) => resolution !== null).length;
  const placeable = pending.filter((one) => one.position !== null).length;
  const reasons: string[] = [];
  if (solvable > 0) reasons.push(`${plural(solvable, "hard conflict")} that a move can solve`);
  if (placeable > 0)
    reasons.push(`${plural(placeable, "pending task")} that fit${placeable === 1 ? "s" : ""} somewhere`);
  if (best) reasons.push("one move makes the load clearly more even");
  return reasons;
}

function verdictText(calendar: Calendar, analysis: Analysis, reasons: readonly string[]): string {
  const listed = (lines: readonly string[]) => lines.join("; ") || "none";
  const { conflicts, shared, pending, best, broken, balance, days } = analysis;
  return [
    reasons.length === 0 ? "Good enough to stop: yes." : `Good enough to stop: no (${reasons.join("; ")}).`,
    `Hard conflicts: ${listed(conflicts.map((one) => conflictText(calendar, one)))}.`,
    `Shared slots (not a conflict): ${listed(shared.map(({ a, b }) => `${taskLabel(a)} with ${taskLabel(b)}`))}.`,
    `Pending: ${listed(pending.map((one) => `${taskLabel(one.task)} ${one.position ? `fits ${positionText(calendar, one.position)}` : "fits nowhere"}`))}.`,
    balanceText(calendar, days, balance),
    best
      ? `Best single move: ${taskLabel(best.task)} from ${positionText(calendar, best.from)} to ${positionText(calendar, best.to)}, imbalance ${roundToHundredths(balance)} -> ${roundToHundredths(best.after)}.`
      : "No single move makes the load clearly more even.",
    `Class rules broken: ${listed(broken.map((one) => `${taskLabel(one.task)}: ${one.why}`))}.`,
  ].join("\n");
}

/** Weekend days count only if they already have suggested tasks. */
function workingDays(calendar: Calendar, days: readonly number[]): number[] {
  const used = new Set(
    calendar.tasks.filter((task) => task.status === "suggested").flatMap((task) => task.slots.map((one) => one.day)),
  );
  return days.filter((day) => (calendar.days[day - 1]?.weekday ?? 7) <= 5 || used.has(day));
}

function findPosition(calendar: Calendar, task: Task): Position | null {
  const anywhere = () => true;
  for (const find of [firstFreePositionFor, firstHostPositionFor]) {
    for (const { day } of calendar.days) {
      const position = find(calendar, task, day, anywhere);
      if (position) return position;
    }
  }
  return null;
}

/** Null if neither task may move or no position is free. */
function findResolution(calendar: Calendar, { a, b }: Overlap): { task: Task; to: Position } | null {
  for (const task of [a, b]) {
    if (task.status !== "suggested" || task.locked || task.embedded_by !== null) continue;
    const to = findPosition({ ...calendar, tasks: calendar.tasks.filter((one) => one !== task) }, task);
    if (to) return { task, to };
  }
  return null;
}

function conflictText(calendar: Calendar, { a, b, day, resolution }: Analysis["conflicts"][number]): string {
  const pair = `${taskLabel(a)} and ${taskLabel(b)} on ${dayName(calendar, day)}`;
  return resolution
    ? `${pair}, solved by ${taskLabel(resolution.task)} to ${positionText(calendar, resolution.to)}`
    : `${pair}, not solved by any move`;
}

type BestMove = { task: Task; from: Position; to: Position; after: number; gain: number };

/** Only suggested tasks with one position can move, except locked tasks, guests, and hosts with a guest. */
function bestMove(calendar: Calendar, days: readonly number[], balance: number): BestMove | null {
  const loads = new Map(days.map((day) => [day, loadOf(calendar.tasks, day).total]));
  let best: BestMove | null = null;
  for (const task of calendar.tasks) {
    const [from, ...more] = task.slots;
    if (task.status !== "suggested" || task.locked || task.embed_host !== null || task.embedded_by !== null) continue;
    if (!from || more.length > 0 || !loads.has(from.day)) continue;
    const withoutTask = { ...calendar, tasks: calendar.tasks.filter((one) => one !== task) };
    const loadWithoutTask = loadOf(withoutTask.tasks, from.day).total;
    for (const day of days) {
      if (day === from.day) continue;
      const loadOn = (one: number) =>
        one === from.day ? loadWithoutTask : (loads.get(one) ?? 0) + (one === day ? slotCount(from) : 0);
      const after = deviation(days.map(loadOn));
      const gain = balance - after;
      if (gain <= (best?.gain ?? 0)) continue;
      const to = firstFreePositionFor(withoutTask, task, day, () => true);
      if (to) best = { task, from, to, after, gain };
    }
  }
  return best;
}

function ruleViolations(calendar: Calendar) {
  return calendar.tasks
    .filter((task) => task.status === "suggested")
    .flatMap((task) => {
      const why = task.slots.map((one) => ruleViolation(calendar, task, one)).find((one) => one !== null);
      return why ? [{ task, why }] : [];
    });
}

function balanceText(calendar: Calendar, days: readonly number[], balance: number): string {
  const loads = days.map((day) => ({ day, load: loadOf(calendar.tasks, day).total })).sort((a, b) => a.load - b.load);
  const [lightest, heaviest] = [loads[0], loads.at(-1)];
  if (!lightest || !heaviest) return "Load balance: no working day in this range.";
  const name = (one: { day: number; load: number }) => `${dayName(calendar, one.day)} with ${one.load}/12`;
  return `Load balance: imbalance ${roundToHundredths(balance)} (standard deviation in slots over ${plural(days.length, "day")}); lightest ${name(lightest)}, heaviest ${name(heaviest)}.`;
}
