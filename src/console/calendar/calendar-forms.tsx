// Shows the forms that create a calendar, and that fill one from a file, a subscription or an account of the
// configuration.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton } from "../parts/components.tsx";
import { Form, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import type { CalendarApi, CalendarView, ImportReport } from "./calendar-api.ts";

type FormsProps = {
  readonly api: CalendarApi;
  /** The calendar, or null if the tenant has none yet. */
  readonly calendar: CalendarView | null;
  readonly isAdmin: boolean;
  /** Called with the calendar to show from now on, or with null if the current one changed. */
  readonly onChanged: (id: string | null) => void;
  readonly onRemoved: (id: string) => void;
};

type Outcome =
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "imported"; readonly report: ImportReport }
  | { readonly kind: "connected" | "synchronized"; readonly changed: number };

export const CalendarForms: FC<FormsProps> = ({ api, calendar, isAdmin, onChanged, onRemoved }) => {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [name, setName] = useState("");
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const show = async <T,>(request: Promise<Result<T>>, done: (value: T) => Outcome | null): Promise<void> => {
    const result = await request;
    setOutcome(result.ok ? done(result.value) : { kind: "failed", problem: result.problem });
  };
  return (
    <div class="calendar-forms">
      <Form
        submit={t().calendar.create}
        onSubmit={() =>
          void show(api.create(name, zone), ({ id }) => {
            onChanged(id);
            return null;
          })
        }
      >
        <TextField label={t().calendar.name} name="calendar-name" value={name} required onValue={setName} />
        <TextField label={t().calendar.timeZone} name="time-zone" value={zone} required onValue={setZone} />
      </Form>
      {calendar ? (
        <FillForms
          key={calendar.id}
          calendar={calendar}
          api={api}
          isAdmin={isAdmin}
          onImport={(file) =>
            void show(api.importFile(calendar.id, file), (report) => {
              onChanged(null);
              return { kind: "imported", report };
            })
          }
          onConnect={(source) =>
            void show(api.connect(calendar.id, source), ({ changed }) => {
              onChanged(null);
              return { kind: "connected", changed };
            })
          }
          onSync={() =>
            void show(api.sync(calendar.id), ({ changed }) => {
              onChanged(null);
              return { kind: "synchronized", changed };
            })
          }
          onRemove={() =>
            void show(api.remove(calendar.id), () => {
              onRemoved(calendar.id);
              return null;
            })
          }
        />
      ) : null}
      <OutcomeView outcome={outcome} />
    </div>
  );
};

type FillProps = {
  readonly calendar: CalendarView;
  readonly api: CalendarApi;
  readonly isAdmin: boolean;
  readonly onImport: (file: File) => void;
  readonly onConnect: (source: { account: string } | { subscribe: string }) => void;
  readonly onSync: () => void;
  readonly onRemove: () => void;
};

const FillForms: FC<FillProps> = ({ calendar, api, isAdmin, onImport, onConnect, onSync, onRemove }) => {
  const [address, setAddress] = useState("");
  const [account, setAccount] = useState("");
  return (
    <div class="contents">
      <label class="field">
        <span>{t().calendar.importFile}</span>
        <input
          type="file"
          name="ics-file"
          accept=".ics,text/calendar"
          onChange={(event: Event) => {
            const [file] = (event.target as HTMLInputElement).files ?? [];
            if (file) onImport(file);
          }}
        />
        <span class="quiet small">{t().calendar.importNote}</span>
      </label>
      <div class="row">
        <button type="button" class="button" onClick={() => void download(api, calendar)}>
          {t().calendar.exportFile}
        </button>
        <button type="button" class="button" onClick={onSync}>
          {t().calendar.synchronize}
        </button>
        <ConfirmButton
          label={t().calendar.remove}
          confirmLabel={t().calendar.confirmRemove(calendar.name)}
          onConfirm={onRemove}
        />
      </div>
      {isAdmin ? (
        <>
          <Form submit={t().calendar.subscribe} onSubmit={() => onConnect({ subscribe: address })}>
            <TextField
              label={t().calendar.address}
              name="address"
              type="url"
              value={address}
              required
              onValue={setAddress}
            />
          </Form>
          <Form submit={t().calendar.connect} onSubmit={() => onConnect({ account })}>
            <TextField label={t().calendar.account} name="account" value={account} required onValue={setAccount} />
          </Form>
          <p class="quiet small">{t().calendar.onlyEmpty}</p>
        </>
      ) : null}
    </div>
  );
};

async function download(api: CalendarApi, { id, name }: CalendarView): Promise<void> {
  const url = URL.createObjectURL(await api.exportFile(id));
  const link = Object.assign(document.createElement("a"), { href: url, download: `${name}.ics` });
  link.click();
  URL.revokeObjectURL(url);
}

/** Shows the outcome, with everything that the import report contains. */
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
