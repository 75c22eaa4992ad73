// evaluate: is this schedule good enough to stop? It never asks for the impossible, so that improving it comes to an end.
import type { z } from "zod";
import { argumentsOf, optionalInteger } from "../arguments.ts";
import { length, loadOf } from "../occupancy.ts";
import { type Outcome, report } from "../outcome.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { at, count, dayName, label } from "../words.ts";
import { firstEmptyFor, firstSharedFor } from "./candidates.ts";
import { filterHints, select } from "./filters.ts";
import { brokenRule, deviation, imbalance, type Overlap, overlapsOf, rounded } from "./measure.ts";

/** Days that differ by about a slot are even; a move must take away at least this part of the imbalance to be worth it. */
export const EVEN_ENOUGH = 1;
export const WORTHWHILE_GAIN = 0.05;

export const evaluateArguments = argumentsOf(
  {
    day_start: optionalInteger(1, 366, "first day to look at; day 1 if left out"),
    day_end: optionalInteger(1, 366, "last day to look at; the last day if left out"),
  },
  { hints: filterHints },
);

export function evaluate(calendar: Calendar, args: z.infer<typeof evaluateArguments>): Outcome {
  const selection = select(calendar, args);
  if (!selection.ok) return selection;
  const found = findings(calendar, workingDays(calendar, selection.days));
  const reasons = reasonsToGoOn(found);
  return report(calendar, verdictText(calendar, found, reasons), {
    good_enough: reasons.length === 0,
    reasons,
    imbalance: rounded(found.balance),
    hard_conflicts: found.conflicts.map(({ a, b, day, way }) => ({
      tasks: [a.state_id, b.state_id],
      day,
      solved_by: way && { task_id: way.task.state_id, to: way.to },
    })),
    shared: found.shared.map(({ a, b, day }) => ({ tasks: [a.state_id, b.state_id], day })),
    pending: found.pending.map(({ task, place }) => ({ task_id: task.state_id, fits: place })),
    best_move: found.best && {
      task_id: found.best.task.state_id,
      to: found.best.to,
      imbalance: rounded(found.best.after),
    },
    rules_broken: found.broken.map((one) => ({ task_id: one.task.state_id, why: one.why })),
  });
}

type Findings = ReturnType<typeof findings>;

function findings(calendar: Calendar, days: readonly number[]) {
  const balance = imbalance(calendar, days);
  const best = balance > EVEN_ENOUGH ? bestMove(calendar, days, balance) : null;
  const pending = calendar.tasks.filter((task) => task.status === "pending");
  const { conflicts, shared } = overlapsOf(calendar);
  return {
    conflicts: conflicts.map((conflict) => ({ ...conflict, way: wayOut(calendar, conflict) })),
    shared,
    days,
    balance,
    best: best !== null && best.gain >= balance * WORTHWHILE_GAIN ? best : null,
    pending: pending.map((task) => ({ task, place: placeFor(calendar, task) })),
    broken: brokenRules(calendar),
  };
}

function reasonsToGoOn({ conflicts, pending, best }: Findings): string[] {
  const solvable = conflicts.filter(({ way }) => way !== null).length;
  const placeable = pending.filter((one) => one.place !== null).length;
  const reasons: string[] = [];
  if (solvable > 0) reasons.push(`${count(solvable, "hard conflict")} that a move can solve`);
  if (placeable > 0)
    reasons.push(`${count(placeable, "pending task")} that fit${placeable === 1 ? "s" : ""} somewhere`);
  if (best) reasons.push("one move makes the load clearly more even");
  return reasons;
}

function verdictText(calendar: Calendar, found: Findings, reasons: readonly string[]): string {
  const listed = (lines: readonly string[]) => lines.join("; ") || "none";
  const { conflicts, shared, pending, best, broken, balance, days } = found;
  return [
    reasons.length === 0 ? "Good enough to stop: yes." : `Good enough to stop: no (${reasons.join("; ")}).`,
    `Hard conflicts: ${listed(conflicts.map((one) => conflictText(calendar, one)))}.`,
    `Shared slots (not a conflict): ${listed(shared.map(({ a, b }) => `${label(a)} with ${label(b)}`))}.`,
    `Pending: ${listed(pending.map((one) => `${label(one.task)} ${one.place ? `fits ${at(calendar, one.place)}` : "fits nowhere"}`))}.`,
    balanceText(calendar, days, balance),
    best
      ? `Best single move: ${label(best.task)} from ${at(calendar, best.from)} to ${at(calendar, best.to)}, imbalance ${rounded(balance)} -> ${rounded(best.after)}.`
      : "No single move makes the load clearly more even.",
    `Class rules broken: ${listed(broken.map((one) => `${label(one.task)}: ${one.why}`))}.`,
  ].join("\n");
}

/** Weekends count only where somebody already works: an empty Sunday is no imbalance. */
function workingDays(calendar: Calendar, days: readonly number[]): number[] {
  const used = new Set(
    calendar.tasks.filter((task) => task.status === "suggested").flatMap((task) => task.slots.map((one) => one.day)),
  );
  return days.filter((day) => (calendar.days[day - 1]?.weekday ?? 7) <= 5 || used.has(day));
}

function placeFor(calendar: Calendar, task: Task): Position | null {
  const anywhere = () => true;
  for (const find of [firstEmptyFor, firstSharedFor]) {
    for (const { day } of calendar.days) {
      const place = find(calendar, task, day, anywhere);
      if (place) return place;
    }
  }
  return null;
}

/** The move that takes one of the two to where nobody is; null when neither may move or nothing is free. */
function wayOut(calendar: Calendar, { a, b }: Overlap): { task: Task; to: Position } | null {
  for (const task of [a, b]) {
    if (task.status !== "suggested" || task.locked || task.embedded_by !== null) continue;
    const to = placeFor({ ...calendar, tasks: calendar.tasks.filter((one) => one !== task) }, task);
    if (to) return { task, to };
  }
  return null;
}

function conflictText(calendar: Calendar, { a, b, day, way }: Findings["conflicts"][number]): string {
  const pair = `${label(a)} and ${label(b)} on ${dayName(calendar, day)}`;
  return way ? `${pair}, solved by ${label(way.task)} to ${at(calendar, way.to)}` : `${pair}, not solved by any move`;
}

type BestMove = { task: Task; from: Position; to: Position; after: number; gain: number };

/** Looks at every suggested task with slots of its own; a guest adds no load where it is. */
function bestMove(calendar: Calendar, days: readonly number[], balance: number): BestMove | null {
  const loads = new Map(days.map((day) => [day, loadOf(calendar.tasks, day).total]));
  let best: BestMove | null = null;
  for (const task of calendar.tasks) {
    const [from, ...more] = task.slots;
    if (task.status !== "suggested" || task.locked || task.embed_host !== null || task.embedded_by !== null) continue;
    if (!from || more.length > 0 || !loads.has(from.day)) continue;
    const lifted = { ...calendar, tasks: calendar.tasks.filter((one) => one !== task) };
    const withoutIt = loadOf(lifted.tasks, from.day).total;
    for (const day of days) {
      if (day === from.day) continue;
      const after = deviation(
        days.map((one) => (one === from.day ? withoutIt : (loads.get(one) ?? 0) + (one === day ? length(from) : 0))),
      );
      const gain = balance - after;
      if (gain <= (best?.gain ?? 0)) continue;
      const to = firstEmptyFor(lifted, task, day, () => true);
      if (to) best = { task, from, to, after, gain };
    }
  }
  return best;
}

function brokenRules(calendar: Calendar) {
  return calendar.tasks
    .filter((task) => task.status === "suggested")
    .flatMap((task) => {
      const why = task.slots.map((one) => brokenRule(calendar, task, one)).find((one) => one !== null);
      return why ? [{ task, why }] : [];
    });
}

function balanceText(calendar: Calendar, days: readonly number[], balance: number): string {
  const loads = days.map((day) => ({ day, load: loadOf(calendar.tasks, day).total })).sort((a, b) => a.load - b.load);
  const [lightest, heaviest] = [loads[0], loads.at(-1)];
  if (!lightest || !heaviest) return "Load balance: no working day in this range.";
  const name = (one: { day: number; load: number }) => `${dayName(calendar, one.day)} with ${one.load}/12`;
  return `Load balance: imbalance ${rounded(balance)} (standard deviation in slots over ${count(days.length, "day")}); lightest ${name(lightest)}, heaviest ${name(heaviest)}.`;
}
