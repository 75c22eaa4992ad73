// Creates a schedule, with a preview of its next five times in its zone.
import type { FC } from "hono/jsx/dom";
import { useEffect, useState } from "hono/jsx/dom";
import type { ScheduleCreateParams } from "../../schema/jobs/schedule.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { locale, t } from "../messages/messages.ts";
import { Form, SelectField, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";

type When = ScheduleCreateParams["when"];
type Kind = When["kind"];

const DEBOUNCE_MS = 300;
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const ScheduleForm: FC<{ api: Api; onCreated: () => void }> = ({ api, onCreated }) => {
  const [name, setName] = useState("");
  const [goal, setGoal] = useState("");
  const [kind, setKind] = useState<Kind>("cron");
  const [expression, setExpression] = useState("0 8 * * 1-5");
  const [zone, setZone] = useState(ownZone());
  const [minutes, setMinutes] = useState("60");
  const [at, setAt] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { form } = t().schedules;
  const when = readWhen(kind, { expression, zone, minutes, at });
  const create = async (): Promise<void> => {
    if (!when) return;
    const created = await api.schedules.create({ name, when, what: { kind: "thread", create: { goal } } });
    setProblem(created.ok ? null : created.problem);
    if (created.ok) onCreated();
  };
  return (
    <Form submit={form.create} busy={!name.trim() || !goal.trim() || !when} onSubmit={() => void create()}>
      <TextField label={form.name} name="name" value={name} onValue={setName} />
      <TextField label={form.goal} name="goal" value={goal} onValue={setGoal} />
      <SelectField
        label={t().schedules.when}
        name="kind"
        value={kind}
        options={[
          ["cron", form.cron],
          ["interval", form.interval],
          ["once", form.once],
        ]}
        onValue={(value) => setKind(value as Kind)}
      />
      {kind === "cron" ? (
        <div key="cron" class="form-pair">
          <TextField label={form.expression} name="expression" value={expression} onValue={setExpression} />
          <TextField label={form.zone} name="zone" value={zone} list="time-zones" onValue={setZone} />
          <datalist id="time-zones">
            {Intl.supportedValuesOf("timeZone").map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
      ) : kind === "interval" ? (
        <TextField
          key="interval"
          label={form.minutes}
          name="minutes"
          type="number"
          value={minutes}
          onValue={setMinutes}
        />
      ) : (
        <TextField key="once" label={form.at} name="at" type="datetime-local" value={at} onValue={setAt} />
      )}
      <Preview key="preview" api={api} when={when} zone={kind === "cron" ? zone : ownZone()} />
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </Form>
  );
};

type WhenFields = { readonly expression: string; readonly zone: string; readonly minutes: string; readonly at: string };

/** null while the fields are incomplete. */
function readWhen(kind: Kind, { expression, zone, minutes, at }: WhenFields): When | null {
  if (kind === "cron")
    return expression.trim() && zone ? { kind, expression: expression.trim(), time_zone: zone } : null;
  if (kind === "once") return at ? { kind, at: new Date(at).toISOString() } : null;
  const every_s = Math.round(Number(minutes) * 60);
  return every_s >= 10 ? { kind, every_s } : null;
}

/** Asks the server, which also decides when the schedule is due, once the person stops typing. */
const Preview: FC<{ api: Api; when: When | null; zone: string }> = ({ api, when, zone }) => {
  const [times, setTimes] = useState<readonly string[]>([]);
  const [error, setError] = useState("");
  const key = JSON.stringify(when);
  useEffect(() => {
    if (!when) return setTimes([]);
    const timer = setTimeout(async () => {
      const preview = await api.schedules.preview(when);
      setTimes(preview.ok ? preview.value.times : []);
      setError(preview.ok ? "" : preview.problem.message);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  if (error) return <p class="field-error">{error}</p>;
  return (
    <div class="schedule-preview" aria-live="polite">
      <p class="small quiet">{t().schedules.form.nextTimes(zone)}</p>
      <ol class="plain-list small">
        {times.map((time) => (
          <li key={time}>{formatInZone(time, zone)}</li>
        ))}
      </ol>
    </div>
  );
};

function formatInZone(time: string, timeZone: string): string {
  try {
    return new Date(time).toLocaleString(locale(), { timeZone, dateStyle: "full", timeStyle: "short" });
  } catch {
    return time;
  }
}
