// A change of the calendar as before and after, on the days it touches.
import type { FC } from "hono/jsx/dom";
import type { Change } from "../../toolkits/timetable/schema/calendar.ts";
import { daysTouched, type ShownCalendar } from "./changes.ts";
import { DayColumns, type Emphasis } from "./day-columns.tsx";
import { placeWords } from "./days.ts";

const DAYS_DRAWN = 5;

type Props = {
  readonly before: ShownCalendar;
  readonly after: ShownCalendar;
  readonly changes: readonly Change[];
  /** It has happened; else it is only proposed. */
  readonly done?: boolean;
};

export const ChangeGrid: FC<Props> = ({ before, after, changes, done }) => {
  const days = daysTouched(changes).slice(0, DAYS_DRAWN);
  const marks = (how: Emphasis) => new Map(changes.map((one) => [one.task_id, how]));
  return (
    <div class="change">
      <ul class="change-list">
        {changes.map((one) => (
          <li key={one.task_id}>
            <strong>{one.name}</strong> <span class="quiet">from</span> {placeWords(before, one.from)}{" "}
            <span class="quiet">to</span> {placeWords(before, one.to)}
          </li>
        ))}
      </ul>
      {days.length === 0 ? null : (
        <div class="before-after">
          <figure>
            <figcaption>Before</figcaption>
            <DayColumns calendar={before} days={days} label="Before the change" marked={marks("leaves")} />
          </figure>
          <figure>
            <figcaption>{done ? "After" : "After, if you approve"}</figcaption>
            <DayColumns calendar={after} days={days} label="After the change" marked={marks("arrives")} />
          </figure>
        </div>
      )}
      {daysTouched(changes).length > DAYS_DRAWN ? (
        <p class="quiet small">
          Drawn are the first {DAYS_DRAWN} of the {daysTouched(changes).length} days it touches.
        </p>
      ) : null}
    </div>
  );
};
