// Shows the selected event with a form that proposes another time, which is how to move an event by keyboard or touch.
import { type FC, useState } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Button, VisibleText } from "../parts/components.tsx";
import { Form, TextField } from "../parts/fields.tsx";
import type { EventView } from "./calendar-api.ts";
import { clockOf, dateOf } from "./day-layout.ts";
import type { Move } from "./time-grid.tsx";

type DetailsProps = {
  readonly event: EventView;
  readonly busy: boolean;
  readonly onMove: (move: Move) => void;
  readonly onClose: () => void;
};

export const EventDetails: FC<DetailsProps> = ({ event, busy, onMove, onClose }) => {
  const [start, setStart] = useState(event.start.slice(0, 16));
  const canMove = event.type === "event" && !event.all_day;
  const facts = [
    ...(event.location ? [event.location] : []),
    ...(event.series ? [t().calendar.repeats] : []),
    ...(event.movable === "fixed" && event.type === "event" ? [t().calendar.fixed] : []),
    ...event.categories,
  ];
  return (
    <section class="event-details" aria-label={event.title}>
      <div class="row spread">
        <h2>
          <VisibleText text={event.title} />
        </h2>
        <Button class="small" onClick={onClose}>
          {t().common.close}
        </Button>
      </div>
      <p>
        {dateOf(event.start)} {event.all_day ? t().calendar.allDay : `${clockOf(event.start)}–${clockOf(event.end)}`}
      </p>
      {facts.length > 0 ? (
        <p class="quiet">
          <VisibleText text={facts.join(" · ")} />
        </p>
      ) : null}
      {canMove ? (
        <Form
          submit={t().calendar.propose}
          busy={busy || start === event.start.slice(0, 16)}
          onSubmit={() => onMove({ event, date: dateOf(start), clock: clockOf(start) })}
        >
          <TextField
            label={t().calendar.newStart}
            name="new-start"
            type="datetime-local"
            value={start}
            required
            onValue={setStart}
          />
        </Form>
      ) : null}
    </section>
  );
};
