// Creates or changes a schedule, with a preview of its next five times in its time zone.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { ScheduleView } from "../../client/jobs.ts";
import type { ScheduleCreateParams } from "../../schema/jobs/schedule.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { locale, t } from "../messages/messages.ts";
import { Form, SelectField, TextField } from "../parts/fields.tsx";
import { problemSentence } from "../parts/problem-card.tsx";

type When = ScheduleCreateParams["when"];
type Kind = When["kind"];

const DEBOUNCE_MS = 300;
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

type Props = {
  readonly api: Api;
  readonly schedule: ScheduleView | null;
  readonly onSaved: () => void;
};

export const ScheduleForm: FC<Props> = ({ api, schedule, onSaved }) => {
  const initial = fieldsOf(schedule?.when);
  const [name, setName] = useState(schedule?.name ?? "");
  const [text, setText] = useState(schedule ? textOf(schedule.what) : "");
  const [kind, setKind] = useState<Kind>(schedule?.when.kind ?? "cron");
  const [expression, setExpression] = useState(initial.expression);
  const [zone, setZone] = useState(initial.zone);
  const [minutes, setMinutes] = useState(initial.minutes);
  const [at, setAt] = useState(initial.at);
  const { form } = t().schedules;
  const when = readWhen(kind, { expression, zone, minutes, at });
  const save = async (): Promise<Problem | null> => {
    if (!when) return null;
    const what = actionWith(schedule?.what, text);
    const saved = schedule
      ? await api.schedules.change(schedule.id, { name, when, what })
      : await api.schedules.create({ name, when, what });
    if (!saved.ok) return saved.problem;
    onSaved();
    return null;
  };
  return (
    <Form
      submit={schedule ? t().common.save : form.create}
      busy={!name.trim() || !text.trim() || !when}
      onSubmit={save}
    >
      <TextField label={t().common.name} name="name" value={name} onValue={setName} />
      <TextField
        label={schedule?.what.kind === "message" ? form.message : form.goal}
        name="goal"
        value={text}
        onValue={setText}
      />
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
          <TextField label={t().common.timeZone} name="zone" value={zone} list="time-zones" onValue={setZone} />
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
    </Form>
  );
};

const textOf = (what: ScheduleView["what"]): string =>
  what.kind === "thread" ? (what.create.goal ?? "") : what.message.text;

/** Replaces the text of an action, and keeps its other fields. */
function actionWith(what: ScheduleView["what"] | undefined, text: string): ScheduleCreateParams["what"] {
  if (what?.kind === "message") return { ...what, message: { ...what.message, text } };
  return { kind: "thread", create: { ...what?.create, goal: text } };
}

function fieldsOf(when: ScheduleView["when"] | undefined): WhenFields {
  return {
    expression: when?.kind === "cron" ? when.expression : "0 8 * * 1-5",
    zone: when?.kind === "cron" ? when.time_zone : ownZone(),
    minutes: String(when?.kind === "interval" ? when.every_s / 60 : 60),
    at: when?.kind === "once" ? localTime(when.at) : "",
  };
}

/** Formats a time for an input of the type datetime-local. */
function localTime(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

type WhenFields = { readonly expression: string; readonly zone: string; readonly minutes: string; readonly at: string };

/** Returns null while the fields are incomplete. */
function readWhen(kind: Kind, { expression, zone, minutes, at }: WhenFields): When | null {
  if (kind === "cron")
    return expression.trim() && zone ? { kind, expression: expression.trim(), time_zone: zone } : null;
  if (kind === "once") return at ? { kind, at: new Date(at).toISOString() } : null;
  const every_s = Math.round(Number(minutes) * 60);
  return every_s >= 10 ? { kind, every_s } : null;
}

/** Previews the due times once the user stops typing. The server computes them, because it also runs the schedule. */
const Preview: FC<{ api: Api; when: When | null; zone: string }> = ({ api, when, zone }) => {
  const [times, setTimes] = useState<readonly string[]>([]);
  const [error, setError] = useState("");
  const key = JSON.stringify(when);
  const latest = useRef(key);
  latest.current = key;
  useLayoutEffect(() => {
    if (!when) return setTimes([]);
    const timer = setTimeout(async () => {
      const preview = await api.schedules.preview(when);
      if (latest.current !== key) return;
      setTimes(preview.ok ? preview.value.times : []);
      setError(preview.ok ? "" : whenError(preview.problem));
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

/** Returns the message about an invalid time, without the name of the server's field. */
function whenError(problem: Problem): string {
  const field = String(problem.details?.field ?? "");
  if (!field.startsWith("when.")) return problemSentence(problem);
  return t().schedules.form.invalid(field, problem.message.replace(/^when\.\w+: /, ""));
}

function formatInZone(time: string, timeZone: string): string {
  try {
    return new Date(time).toLocaleString(locale(), { timeZone, dateStyle: "full", timeStyle: "short" });
  } catch {
    return time;
  }
}
