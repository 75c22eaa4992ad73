// Days side by side, twelve slots each, every task a block over its slots.
import type { FC } from "hono/jsx/dom";
import type { ShownCalendar } from "./changes.ts";
import { dayWords, onDay, type Placed, SLOTS, slotWords } from "./days.ts";

export type Emphasis = "leaves" | "arrives";

type ColumnsProps = {
  readonly calendar: ShownCalendar;
  readonly days: readonly number[];
  readonly label: string;
  /** Tasks of a change, and what it does to them here. */
  readonly marked?: ReadonlyMap<number, Emphasis>;
};

export const DayColumns: FC<ColumnsProps> = ({ calendar, days, label, marked }) => (
  <section class="days" aria-label={label}>
    <ol class="slot-numbers" aria-hidden="true">
      {Array.from({ length: SLOTS }, (_, i) => (
        <li key={i}>{i + 1}</li>
      ))}
    </ol>
    {days.map((day) => (
      <Day key={day} calendar={calendar} day={day} marked={marked ?? new Map()} />
    ))}
  </section>
);

const Day: FC<{ calendar: ShownCalendar; day: number; marked: ReadonlyMap<number, Emphasis> }> = (props) => {
  const { calendar, day, marked } = props;
  const { name, date } = dayWords(calendar, day);
  const here = onDay(calendar, day);
  return (
    <div class={`day ${here.length === 0 ? "day-free" : ""}`}>
      <p class="day-head">
        <span>{name}</span> <span class="quiet">{date}</span>
      </p>
      <ul class="day-slots" aria-label={`${name} ${date}`}>
        {here.map((placed) => (
          <Block
            key={`${placed.task.state_id}:${placed.place.slot_start}`}
            placed={placed}
            emphasis={marked.get(placed.task.state_id) ?? null}
          />
        ))}
      </ul>
    </div>
  );
};

const EMPHASIS_WORDS = { leaves: ", leaves this place", arrives: ", its new place" } as const;

const Block: FC<{ placed: Placed; emphasis: Emphasis | null }> = ({ placed: { task, place }, emphasis }) => {
  const kind = task.event_type === "course" ? "course" : task.status;
  const guest = task.embed_host === null ? "" : "block-guest";
  return (
    <li
      class={`block block-${kind} ${guest} ${emphasis ? `block-${emphasis}` : ""}`}
      style={{ "grid-row": `${place.slot_start} / ${place.slot_end + 1}` }}
      title={`${task.name}, ${slotWords(place)}`}
    >
      <span class="block-name">{task.name}</span>
      <span class="sr-only">
        , {slotWords(place)}, {kind}
        {emphasis ? EMPHASIS_WORDS[emphasis] : ""}
      </span>
    </li>
  );
};
