// Shows a week or a day with real times. Dragging an event starts a thread, whose gate asks before anything changes.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import type { About, Api } from "../client/api.ts";
import { NOTHING, usePolled, useVisibleInterval } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure } from "../parts/components.tsx";
import { SelectField } from "../parts/fields.tsx";
import { useTitle } from "../parts/list-page.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import type { StartThread } from "../shell/home.tsx";
import { calendarAgent } from "./calendar-agent.ts";
import type { CalendarView, EventList, EventView } from "./calendar-api.ts";
import { CalendarForms } from "./calendar-forms.tsx";
import { addDays, dateIn, weekStart } from "./day-layout.ts";
import { EventDetails } from "./event-details.tsx";
import { type Move, TimeGrid } from "./time-grid.tsx";

const PHONE_PX = 700;

type ViewName = "week" | "day";
type PageProps = { readonly api: Api; readonly about: About | null; readonly onStart: StartThread };

export const CalendarPage: FC<PageProps> = ({ api, about, onStart }) => {
  const { value, failure, mutate } = usePolled(() => api.calendars.list());
  const [chosen, setChosen] = useState<string | null>(null);
  useTitle(t().nav.calendar);
  const calendars = value?.calendars ?? null;
  const calendar =
    calendars?.find(({ id }) => id === chosen) ?? calendars?.find((one) => one.default) ?? calendars?.[0];
  const [changes, setChanges] = useState(0);
  return (
    <div class="calendar-page">
      <h1>{t().nav.calendar}</h1>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {calendars && calendars.length > 1 && calendar ? (
        <SelectField
          key="choose"
          label={t().calendar.choose}
          name="calendar"
          value={calendar.id}
          options={calendars.map(({ id, name }) => [id, name] as const)}
          onValue={setChosen}
        />
      ) : null}
      {calendars?.length === 0 ? (
        <p key="none" class="quiet">
          {t().calendar.none}
        </p>
      ) : null}
      {calendar ? (
        <CalendarTimes key={`${calendar.id} ${changes}`} api={api} calendar={calendar} onStart={onStart} />
      ) : null}
      {calendars ? (
        <Disclosure key="forms" class="create-form" label={t().calendar.add}>
          {() => (
            <CalendarForms
              api={api.calendars}
              calendar={calendar ?? null}
              isAdmin={about?.caller.scopes.includes("admin") ?? false}
              onChanged={(id) => {
                if (id !== null) setChosen(id);
                setChanges(changes + 1);
                void mutate(NOTHING);
              }}
              onRemoved={() => void mutate(NOTHING)}
            />
          )}
        </Disclosure>
      ) : null}
    </div>
  );
};

type TimesProps = { readonly api: Api; readonly calendar: CalendarView; readonly onStart: StartThread };

const CalendarTimes: FC<TimesProps> = ({ api, calendar, onStart }) => {
  const today = dateIn(calendar.time_zone, Date.now());
  const [view, setView] = useState<ViewName>(window.innerWidth < PHONE_PX ? "day" : "week");
  const [date, setDate] = useState(today);
  const [selected, setSelected] = useState<EventView | null>(null);
  const [busy, setBusy] = useState(false);
  const first = view === "week" ? weekStart(date) : date;
  const days = Array.from({ length: view === "week" ? 7 : 1 }, (_, n) => addDays(first, n));
  const { list, problem, setProblem } = useEvents(api, calendar.id, first, days.at(-1) ?? first);
  const propose = async ({ event, date: to, clock }: Move): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const failed = await onStart({
      goal: t().calendar.moveGoal(event.title, event.id, to, clock),
      metadata: { title: t().calendar.moveGoal(event.title, event.id, to, clock).slice(0, 120) },
      calendar: calendar.id,
      mode: "direct",
      ...(await calendarAgent(api)),
    });
    setProblem(failed);
    setBusy(false);
  };
  const step = view === "week" ? 7 : 1;
  return (
    <div class="contents">
      <div class="row spread calendar-bar">
        <span class="row tight">
          <Button class="small" aria-label={t().calendar.earlier} onClick={() => setDate(addDays(date, -step))}>
            ←
          </Button>
          <Button class="small" onClick={() => setDate(today)}>
            {t().calendar.today}
          </Button>
          <Button class="small" aria-label={t().calendar.later} onClick={() => setDate(addDays(date, step))}>
            →
          </Button>
        </span>
        <span class="row tight">
          {(["week", "day"] as const).map((one) => (
            <Button
              key={one}
              class={`small ${one === view ? "primary" : ""}`}
              aria-pressed={one === view ? "true" : "false"}
              onClick={() => setView(one)}
            >
              {t().calendar[one]}
            </Button>
          ))}
        </span>
      </div>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} dismiss={() => setProblem(null)} /> : null}
      <TimeGrid
        key={`grid ${view}`}
        days={days}
        today={today}
        events={list?.events ?? []}
        onSelect={setSelected}
        onMove={(move) => void propose(move)}
      />
      <p key="hint" class="quiet small">
        {list?.events.length === 0 ? `${t().calendar.empty} ` : ""}
        {t().calendar.dragHint} {t().calendar.zone(calendar.time_zone)}
      </p>
      {selected ? (
        <EventDetails
          key={`details ${selected.id}`}
          event={selected}
          busy={busy}
          onMove={(move) => void propose(move)}
          onClose={() => setSelected(null)}
        />
      ) : null}
    </div>
  );
};

/** Loads the events of a range, and reloads them regularly because others change the calendar, too. */
function useEvents(api: Api, id: string, from: string, to: string) {
  const [list, setList] = useState<EventList | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useVisibleInterval(
    async (isCurrent) => {
      const found = await api.calendars.events(id, from, to);
      if (!isCurrent()) return;
      if (found.ok) setList(found.value);
      else setProblem(found.problem);
    },
    [id, from, to],
  );
  return { list, problem, setProblem };
}
