// A calendar change as before and after, for the affected days.
import type { FC } from "hono/jsx/dom";
import type { TaskChange } from "../../toolkits/timetable/schema/calendar.ts";
import { affectedDays, type ShownCalendar } from "./changes.ts";
import { DayColumns, type Emphasis } from "./day-columns.tsx";
import { positionsLabel } from "./days.ts";

const MAX_DAYS_SHOWN = 5;

type Props = {
  readonly before: ShownCalendar;
  readonly after: ShownCalendar;
  readonly changes: readonly TaskChange[];
  /** True if the change was applied; otherwise it is only proposed. */
  readonly done?: boolean;
};

export const ChangeGrid: FC<Props> = ({ before, after, changes, done }) => {
  const days = affectedDays(changes).slice(0, MAX_DAYS_SHOWN);
  const highlight = (emphasis: Emphasis) => new Map(changes.map((one) => [one.task_id, emphasis]));
  return (
    <div class="change">
      <ul class="change-list">
        {changes.map((one) => (
          <li key={one.task_id}>
            <strong>{one.name}</strong> <span class="quiet">from</span> {positionsLabel(before, one.from)}{" "}
            <span class="quiet">to</span> {positionsLabel(before, one.to)}
          </li>
        ))}
      </ul>
      {days.length === 0 ? null : (
        <div class="before-after">
          <figure>
            <figcaption>Before</figcaption>
            <DayColumns calendar={before} days={days} label="Before the change" highlights={highlight("leaves")} />
          </figure>
          <figure>
            <figcaption>{done ? "After" : "After approval"}</figcaption>
            <DayColumns calendar={after} days={days} label="After the change" highlights={highlight("arrives")} />
          </figure>
        </div>
      )}
      {affectedDays(changes).length > MAX_DAYS_SHOWN ? (
        <p class="quiet small">
          Showing the first {MAX_DAYS_SHOWN} of {affectedDays(changes).length} affected days.
        </p>
      ) : null}
    </div>
  );
};
