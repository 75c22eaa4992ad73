// Shows a calendar change as before and after, for the affected days.
import type { FC } from "hono/jsx/dom";
import type { TaskChange } from "../../toolkits/timetable/schema/calendar.ts";
import { t } from "../messages/messages.ts";
import { affectedDays, type ShownCalendar } from "./changes.ts";
import { DayColumns } from "./day-columns.tsx";
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
  const columns = [
    { caption: t().timetable.before, calendar: before, label: t().timetable.beforeChange, emphasis: "leaves" },
    {
      caption: done ? t().timetable.after : t().timetable.afterApproval,
      calendar: after,
      label: t().timetable.afterChange,
      emphasis: "arrives",
    },
  ] as const;
  return (
    <div class="change">
      <ul class="change-list">
        {changes.map((one) => (
          <li key={one.task_id}>
            <strong>{one.name}</strong>{" "}
            {t().timetable.moved(positionsLabel(before, one.from), positionsLabel(before, one.to))}
          </li>
        ))}
      </ul>
      {days.length === 0 ? null : (
        <div class="before-after">
          {columns.map(({ caption, calendar, label, emphasis }) => (
            <figure key={emphasis}>
              <figcaption>{caption}</figcaption>
              <DayColumns
                calendar={calendar}
                days={days}
                label={label}
                highlights={new Map(changes.map((one) => [one.task_id, emphasis]))}
              />
            </figure>
          ))}
        </div>
      )}
      {affectedDays(changes).length > MAX_DAYS_SHOWN ? (
        <p class="quiet small">{t().timetable.firstDays(MAX_DAYS_SHOWN, affectedDays(changes).length)}</p>
      ) : null}
    </div>
  );
};
