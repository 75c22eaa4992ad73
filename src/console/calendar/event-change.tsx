// Shows what a call of a calendar tool would change: the affected days before and after.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { ChangePicture, ProposedCalendarChange } from "../../toolkits/calendar/schema/views.ts";
import { t } from "../messages/messages.ts";
import { VisibleText } from "../parts/components.tsx";
import { firstLine } from "../parts/format.ts";
import type { EventView } from "./calendar-api.ts";
import { allDayEvents, blockKind, blockStyle, clockOf, clockText, placeEvents, shownHours } from "./day-layout.ts";
import { dayName } from "./time-grid.tsx";

const DEBOUNCE_MS = 300;
/** Must agree with --hour of .event-change in calendar.css. */
const HOUR_PX = 34;
const WRITES = new Set([
  "create_event",
  "move_event",
  "update_event",
  "cancel_event",
  "plan_blocks",
  "swap_events",
  "undo_calendar_change",
]);
export const isEventChange = (tool: string): boolean => WRITES.has(tool);

type Proposed = ProposedCalendarChange["proposed"];
export type LoadChange = (edited: string | null) => Promise<Proposed>;

type ChangeProps = {
  readonly load: LoadChange;
  /** The edited arguments as JSON, or null for the proposed ones. */
  readonly edited: string | null;
  /** The text of the gate about the proposed call. */
  readonly text: string | null | undefined;
};

export const EventChange: FC<ChangeProps> = ({ load, edited, text }) => {
  const [proposed, setProposed] = useState<Proposed>(null);
  useLayoutEffect(() => {
    let isCurrent = true;
    // Edited arguments are sent once the user stops typing.
    const timer = setTimeout(
      async () => {
        const found = await load(edited);
        if (isCurrent) setProposed(found);
      },
      edited === null ? 0 : DEBOUNCE_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [edited]);
  const shown = proposed?.text ?? (edited === null ? text : null);
  if (proposed && !proposed.possible) {
    return (
      <p class="warning" role="note">
        {t().gates.calendarRejects(proposed.text)}
      </p>
    );
  }
  return (
    <div class="change event-change">
      {shown ? (
        <p key="text" class="gate-preview">
          <VisibleText text={shown} />
        </p>
      ) : null}
      {proposed?.picture ? <BeforeAfter key="picture" picture={proposed.picture} zone={proposed.time_zone} /> : null}
    </div>
  );
};

const BeforeAfter: FC<{ picture: ChangePicture; zone: string }> = ({ picture, zone }) => {
  const { days, more_days, before, after, leaving, arriving, conflicts } = picture;
  const hours = shownHours([...before, ...after], days);
  const conflicting = after.filter(({ id }) => conflicts.includes(id));
  return (
    <>
      {conflicting.length > 0 ? (
        <p class="warning" role="note">
          {t().calendar.conflict(conflicting.map(({ title }) => firstLine(title)).join(", "))}
        </p>
      ) : null}
      <div class={`before-after ${days.length > 2 ? "stacked" : ""}`}>
        <Days
          caption={t().timetable.before}
          days={days}
          hours={hours}
          events={before}
          classOf={({ id }) => (leaving.includes(id) ? "block-leaves" : "")}
        />
        <Days
          caption={t().timetable.afterApproval}
          days={days}
          hours={hours}
          events={after}
          classOf={({ id }) =>
            conflicts.includes(id) ? "block-conflict" : arriving.includes(id) ? "block-arrives" : ""
          }
        />
      </div>
      <p class="quiet small">
        {more_days > 0 ? `${t().timetable.firstDays(days.length, days.length + more_days)} ` : ""}
        {t().calendar.zone(zone)}
      </p>
    </>
  );
};

type DaysProps = {
  readonly caption: string;
  readonly days: readonly string[];
  /** The first hour, and the hour after the last one. */
  readonly hours: readonly [number, number];
  readonly events: readonly EventView[];
  readonly classOf: (event: EventView) => string;
};

const Days: FC<DaysProps> = ({ caption, days, hours: [first, last], events, classOf }) => (
  <figure>
    <figcaption>{caption}</figcaption>
    <div class="change-days" style={{ "grid-template-columns": `3rem repeat(${days.length}, minmax(0, 1fr))` }}>
      <span />
      {days.map((date) => (
        <span key={`name ${date}`} class="day-name small">
          {dayName(date)}
        </span>
      ))}
      <span />
      {days.map((date) => (
        <div key={`whole ${date}`} class="change-whole">
          {allDayEvents(events, date).map((event) => (
            <span key={event.id} class={`whole-day ${classOf(event)}`}>
              {event.type === "todo" ? t().calendar.due(event.title) : event.title}
            </span>
          ))}
        </div>
      ))}
      <div class="change-hours" aria-hidden="true">
        {Array.from({ length: last - first }, (_, n) => (
          <span key={n} class="hour-label quiet small">
            {clockText((first + n) * 60)}
          </span>
        ))}
      </div>
      {days.map((date) => (
        <ul key={date} class="day-column" style={{ height: `${(last - first) * HOUR_PX}px` }}>
          {placeEvents(events, date).map((placed) => {
            const { event } = placed;
            return (
              <li
                key={event.id}
                class={`time-block ${classOf(event)} ${blockKind(event)}`}
                title={`${clockOf(event.start)}–${clockOf(event.end)} ${event.title}`}
                style={blockStyle(placed, HOUR_PX, first, 1)}
              >
                <span class="block-time">{clockOf(event.start)}</span> {event.title}
              </li>
            );
          })}
        </ul>
      ))}
    </div>
  </figure>
);
