// Shows days side by side on a time scale. Dragging an event only proposes a change.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import { locale, t } from "../messages/messages.ts";
import type { EventView } from "./calendar-api.ts";
import {
  allDayEvents,
  blockKind,
  blockStyle,
  clockOf,
  clockText,
  draggedStart,
  type PlacedEvent,
  placeEvents,
} from "./day-layout.ts";

/** Must agree with --hour in calendar.css. */
const HOUR_PX = 44;
const FIRST_SHOWN_HOUR = 7;
const DRAG_STARTS_PX = 6;
/** The minimum length of an event with a full label. In a shorter event, only the start fits beside the title. */
const LABELED_MIN = 45;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export type Move = { readonly event: EventView; readonly date: string; readonly clock: string };

type GridProps = {
  readonly days: readonly string[];
  readonly today: string;
  readonly events: readonly EventView[];
  readonly onSelect: (event: EventView) => void;
  readonly onMove: (move: Move) => void;
};

type Drag = {
  readonly placed: PlacedEvent;
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly days: number;
  readonly minutes: number;
};

export const TimeGrid: FC<GridProps> = ({ days, today, events, onSelect, onMove }) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  useLayoutEffect(() => {
    // The grid has a height only after the first layout.
    const frame = requestAnimationFrame(() => {
      if (scroller.current) scroller.current.scrollTop = FIRST_SHOWN_HOUR * HOUR_PX;
    });
    return () => cancelAnimationFrame(frame);
  }, [events.length > 0]);
  const follow = (event: PointerEvent): void => {
    if (!drag) return;
    const column = (event.currentTarget as HTMLElement).closest(".day-column")?.getBoundingClientRect().width ?? 1;
    const days_moved = Math.round((event.clientX - drag.x) / column);
    setDrag({ ...drag, days: days_moved, minutes: ((event.clientY - drag.y) / HOUR_PX) * 60 });
  };
  const drop = (event: PointerEvent): void => {
    if (!drag) return;
    setDrag(null);
    const isDrag = Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) >= DRAG_STARTS_PX;
    if (!isDrag) return;
    const date = days[Math.min(days.length - 1, Math.max(0, drag.column + drag.days))] ?? "";
    const clock = clockText(draggedStart(drag.placed, drag.minutes));
    const { event: moved } = drag.placed;
    if (`${date}T${clock}` !== moved.start.slice(0, 16)) onMove({ event: moved, date, clock });
  };
  return (
    <div class="time-grid" ref={scroller}>
      <div class="time-head" style={{ "grid-template-columns": columnsFor(days) }}>
        <span class="hour-label quiet small">{t().calendar.allDay}</span>
        {days.map((date) => (
          <div key={date} class={`day-head ${date === today ? "day-today" : ""}`}>
            <span class="day-name">{dayName(date)}</span>
            {allDayEvents(events, date).map((event) => (
              <button key={event.id} type="button" class="whole-day" onClick={() => onSelect(event)}>
                {event.type === "todo" ? t().calendar.due(event.title) : event.title}
              </button>
            ))}
          </div>
        ))}
      </div>
      <div class="time-body" style={{ "grid-template-columns": columnsFor(days) }}>
        <div class="hour-column" aria-hidden="true">
          {HOURS.map((hour) => (
            <span key={hour} class="hour-label quiet small">
              {clockText(hour * 60)}
            </span>
          ))}
        </div>
        {days.map((date, column) => (
          <div key={date} class={`day-column ${date === today ? "day-today" : ""}`} data-date={date}>
            {placeEvents(events, date).map((placed) => (
              <EventBlock
                key={placed.event.id}
                placed={placed}
                drag={drag?.placed.event.id === placed.event.id && drag.column === column ? drag : null}
                onGrab={(x, y) => setDrag({ placed, column, x, y, days: 0, minutes: 0 })}
                onFollow={follow}
                onDrop={drop}
                onCancel={() => setDrag(null)}
                onSelect={() => onSelect(placed.event)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};

const columnsFor = (days: readonly string[]): string => `3.5rem repeat(${days.length}, minmax(5.5rem, 1fr))`;

export const dayName = (date: string): string =>
  new Intl.DateTimeFormat(locale(), { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );

type BlockProps = {
  readonly placed: PlacedEvent;
  readonly drag: Drag | null;
  readonly onGrab: (x: number, y: number) => void;
  readonly onFollow: (event: PointerEvent) => void;
  readonly onDrop: (event: PointerEvent) => void;
  readonly onCancel: () => void;
  readonly onSelect: () => void;
};

const EventBlock: FC<BlockProps> = ({ placed, drag, onGrab, onFollow, onDrop, onCancel, onSelect }) => {
  const { event, from, to, lanes } = placed;
  const isDeadline = event.type === "todo";
  const shift = drag ? `translate(${drag.days * 100 * lanes}%, ${(drag.minutes / 60) * HOUR_PX}px)` : "none";
  return (
    <button
      type="button"
      class={`time-block ${blockKind(event)} ${drag ? "block-dragged" : ""}`}
      style={{ ...blockStyle(placed, HOUR_PX, 0, 2), transform: shift }}
      onClick={onSelect}
      onPointerDown={(pointer: PointerEvent) => {
        // A touch scrolls the page, and deadlines cannot be dragged.
        if (isDeadline || pointer.button !== 0 || pointer.pointerType === "touch") return;
        (pointer.currentTarget as HTMLElement).setPointerCapture(pointer.pointerId);
        onGrab(pointer.clientX, pointer.clientY);
      }}
      onPointerMove={onFollow}
      onPointerUp={onDrop}
      onPointerCancel={onCancel}
    >
      <span class="block-time">
        {isDeadline || to - from < LABELED_MIN ? clockOf(event.start) : `${clockOf(event.start)}–${clockOf(event.end)}`}
      </span>{" "}
      {isDeadline ? t().calendar.due(event.title) : event.title}
    </button>
  );
};
