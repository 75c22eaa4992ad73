// Shows the forms that create a calendar, and fill one from a file, a subscription or an account.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";
import { t } from "../messages/messages.ts";
import { Button, ConfirmButton } from "../parts/components.tsx";
import { FileField, Form, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { saveFile } from "../parts/save-file.ts";
import type { CalendarApi, CalendarView, ImportReport } from "./calendar-api.ts";

type FormsProps = {
  readonly api: CalendarApi;
  readonly calendar: CalendarView | null;
  readonly isAdmin: boolean;
  /** Called with the calendar to show from now on, or with null if the current one changed. */
  readonly onChanged: (id: string | null) => void;
  readonly onRemoved: () => void;
};

type Outcome =
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "imported"; readonly report: ImportReport }
  | { readonly kind: "connected" | "synchronized"; readonly changed: number };

/** Waits for a request, then shows its problem or the outcome that `done` returns. */
type Show = <T>(request: Promise<Result<T>>, done: (value: T) => Outcome | null) => void;

export const CalendarForms: FC<FormsProps> = ({ api, calendar, isAdmin, onChanged, onRemoved }) => {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [name, setName] = useState("");
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const show: Show = async (request, done) => {
    const result = await request;
    setOutcome(result.ok ? done(result.value) : { kind: "failed", problem: result.problem });
  };
  const create = (): void =>
    show(api.create(name, zone), ({ id }) => {
      onChanged(id);
      return null;
    });
  return (
    <div class="calendar-forms">
      <Form submit={t().calendar.create} onSubmit={create}>
        <TextField label={t().common.name} name="calendar-name" value={name} required onValue={setName} />
        <TextField label={t().common.timeZone} name="time-zone" value={zone} required onValue={setZone} />
      </Form>
      {calendar ? <FillForms key={calendar.id} {...{ api, calendar, isAdmin, show, onChanged, onRemoved }} /> : null}
      <OutcomeView outcome={outcome} />
    </div>
  );
};

type FillProps = FormsProps & { readonly calendar: CalendarView; readonly show: Show };

const FillForms: FC<FillProps> = ({ api, calendar, isAdmin, show, onChanged, onRemoved }) => {
  const [address, setAddress] = useState("");
  const [account, setAccount] = useState("");
  const filled = (outcome: Outcome): Outcome => {
    onChanged(null);
    return outcome;
  };
  const connect = (source: { account: string } | { subscribe: string }): void =>
    show(api.connect(calendar.id, source), ({ changed }) => filled({ kind: "connected", changed }));
  const remove = (): void =>
    show(api.remove(calendar.id), () => {
      onRemoved();
      return null;
    });
  return (
    <div class="contents">
      <FileField
        label={t().calendar.importFile}
        note={t().calendar.importNote}
        name="ics-file"
        accept=".ics,text/calendar"
        onFile={(file) => show(api.importFile(calendar.id, file), (report) => filled({ kind: "imported", report }))}
      />
      <div class="row">
        <Button onClick={async () => saveFile(await api.exportFile(calendar.id), `${calendar.name}.ics`)}>
          {t().calendar.exportFile}
        </Button>
        <Button onClick={() => show(api.sync(calendar.id), ({ changed }) => filled({ kind: "synchronized", changed }))}>
          {t().calendar.synchronize}
        </Button>
        <ConfirmButton
          label={t().calendar.remove}
          confirmLabel={t().calendar.confirmRemove(calendar.name)}
          onConfirm={remove}
        />
      </div>
      {isAdmin ? (
        <>
          <Form submit={t().calendar.subscribe} onSubmit={() => connect({ subscribe: address })}>
            <TextField
              label={t().calendar.address}
              name="address"
              type="url"
              value={address}
              required
              onValue={setAddress}
            />
          </Form>
          <Form submit={t().calendar.connect} onSubmit={() => connect({ account })}>
            <TextField label={t().calendar.account} name="account" value={account} required onValue={setAccount} />
          </Form>
          <p class="quiet small">{t().calendar.onlyEmpty}</p>
        </>
      ) : null}
    </div>
  );
};

const OutcomeView: FC<{ outcome: Outcome | null }> = ({ outcome }) => {
  if (!outcome) return null;
  if (outcome.kind === "failed") return <ProblemCard problem={outcome.problem} onRetry={null} />;
  if (outcome.kind !== "imported") return <p role="status">{t().calendar[outcome.kind](outcome.changed)}</p>;
  const { events, series, todos, notes, left_out } = outcome.report;
  const lines = [
    ...left_out.map(({ title, reason }) => `${title}: ${reason}`),
    ...notes.map(({ title, note }) => `${title}: ${note}`),
  ];
  return (
    <div role="status">
      <p>{t().calendar.imported(events, series, todos)}</p>
      <ul>
        {lines.map((line, n) => (
          <li key={n}>{line}</li>
        ))}
      </ul>
    </div>
  );
};
