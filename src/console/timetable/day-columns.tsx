// Shows days as columns of twelve slots, with each task as a block.
import type { FC } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import type { ShownCalendar } from "./changes.ts";
import { dayLabel, type PlacedTask, SLOTS_PER_DAY, slotLabel, tasksOnDay } from "./days.ts";

export type Emphasis = "leaves" | "arrives";

type ColumnsProps = {
  readonly calendar: ShownCalendar;
  readonly days: readonly number[];
  readonly label: string;
  /** The tasks of a change, and whether each leaves or arrives here. */
  readonly highlights?: ReadonlyMap<number, Emphasis>;
};

export const DayColumns: FC<ColumnsProps> = ({ calendar, days, label, highlights }) => (
  <section class="days" aria-label={label}>
    <ol class="slot-numbers" aria-hidden="true">
      {Array.from({ length: SLOTS_PER_DAY }, (_, i) => (
        <li key={i}>{i + 1}</li>
      ))}
    </ol>
    {days.map((day) => (
      <Day key={day} calendar={calendar} day={day} highlights={highlights ?? new Map()} />
    ))}
  </section>
);

const Day: FC<{ calendar: ShownCalendar; day: number; highlights: ReadonlyMap<number, Emphasis> }> = (props) => {
  const { calendar, day, highlights } = props;
  const { name, date } = dayLabel(calendar, day);
  const placedTasks = tasksOnDay(calendar, day);
  return (
    <div class={`day ${placedTasks.length === 0 ? "day-free" : ""}`}>
      <p class="slot-day-head">
        <span>{name}</span> <span class="quiet">{date}</span>
      </p>
      <ul class="day-slots" aria-label={`${name} ${date}`}>
        {placedTasks.map((placed) => (
          <Block
            key={`${placed.task.state_id}:${placed.position.slot_start}`}
            placed={placed}
            emphasis={highlights.get(placed.task.state_id) ?? null}
          />
        ))}
      </ul>
    </div>
  );
};

const Block: FC<{ placed: PlacedTask; emphasis: Emphasis | null }> = ({ placed: { task, position }, emphasis }) => {
  const kind = task.event_type === "course" ? "course" : task.status;
  const embeddedClass = task.embed_host === null ? "" : "block-embedded";
  return (
    <li
      class={`block block-${kind} ${embeddedClass} ${emphasis ? `block-${emphasis}` : ""}`}
      style={{ "grid-row": `${position.slot_start} / ${position.slot_end + 1}` }}
      title={`${task.name}, ${slotLabel(position)}`}
    >
      <span class="block-name">{task.name}</span>
      <span class="sr-only">
        , {slotLabel(position)}, {t().timetable.kinds[kind] ?? kind}
        {emphasis ? `, ${t().timetable[emphasis]}` : ""}
      </span>
    </li>
  );
};
