// min_context_switch: suggested tasks change places among themselves so that equal categories follow each other.
import type { z } from "zod";
import { argumentsOf, taskIds } from "../arguments.ts";
import { inOrder, length } from "../occupancy.ts";
import { type Changes, changed, type Outcome } from "../outcome.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { chooseTasks } from "./spread.ts";
import { carryOut, fromTo, UNTOUCHED } from "./write.ts";

export const contextSwitchArguments = argumentsOf({ task_ids: taskIds });

type Seat = { readonly task: Task; readonly position: Position };

export function minContextSwitch(calendar: Calendar, args: z.infer<typeof contextSwitchArguments>): Outcome<Changes> {
  const chosen = chooseTasks(calendar, "min_context_switch", args.task_ids);
  if (!chosen.ok) return chosen;
  const seats = chosen.tasks
    .flatMap((task): Seat[] => task.slots.map((position) => ({ task, position })))
    .sort((a, b) => inOrder(a.position, b.position));
  const arranged = arrange(seats);
  const before = switches(seats);
  const after = switches(arranged);
  if (after >= before) {
    return changed(calendar, `These tasks already change category only ${before} times in a row. ${UNTOUCHED}`, []);
  }
  const targets = arranged.map((seat) => ({ task_id: seat.task.state_id, slots: [seat.position] }));
  return carryOut(
    calendar,
    targets,
    (now, changes) => `Category switches ${before} -> ${after}: ${changes.map((one) => fromTo(now, one)).join("; ")}.`,
  );
}

export const switches = (seats: readonly Seat[]): number =>
  seats.filter((seat, index) => index > 0 && seats[index - 1]?.task.category !== seat.task.category).length;

/** Walks the places in order and stays in a category while it has a task of the right length left. */
function arrange(seats: readonly Seat[]): Seat[] {
  const waiting = seats.map((seat) => seat.task);
  let category: string | null | undefined;
  return seats.map(({ position }) => {
    const fitting = waiting.filter((task) => task.duration === length(position));
    const next = fitting.find((task) => task.category === category) ?? fitting[0];
    // As many tasks of each length as places of that length: one is always left.
    if (!next) throw new Error("more places than tasks of one length");
    waiting.splice(waiting.indexOf(next), 1);
    category = next.category;
    return { task: next, position };
  });
}
