// Shows the schedules page: a form that creates a schedule, and each schedule with timing, last outcome and controls.
import type { FC } from "hono/jsx/dom";
import type { ScheduleView } from "../../client/jobs.ts";
import type { Api } from "../client/api.ts";
import { NOTHING, usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure, Fact, Pill, useNow } from "../parts/components.tsx";
import { formatAgo } from "../parts/format.ts";
import { CardList, ListPage, RemoveButton } from "../parts/list-page.tsx";
import { threadHref } from "../shell/route.ts";
import { EditSection } from "./edit-section.tsx";
import { formatNextRun, formatScheduleTime, isProblem, lastRunLabel, scheduleStatus } from "./job-labels.ts";
import { ScheduleForm } from "./schedule-form.tsx";

export const SchedulesPage: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.schedules.list());
  const now = useNow(5000);
  return (
    <ListPage title={t().nav.schedules} failure={failure}>
      <Disclosure key={`create-${value?.schedules.length ?? 0}`} class="create-form" label={t().schedules.form.title}>
        {() => <ScheduleForm api={api} schedule={null} onSaved={() => void mutate(NOTHING)} />}
      </Disclosure>
      <CardList key="list" items={value?.schedules} none={t().schedules.none}>
        {(one) => (
          <ScheduleCard
            key={one.id}
            api={api}
            schedule={one}
            now={now}
            onSaved={() => void mutate(NOTHING)}
            onToggle={() => void mutate(api.schedules.change(one.id, { enabled: !one.enabled }))}
            onRemove={() => void mutate(api.schedules.remove(one.id))}
          />
        )}
      </CardList>
    </ListPage>
  );
};

type CardProps = {
  readonly api: Api;
  readonly schedule: ScheduleView;
  readonly now: number;
  readonly onSaved: () => void;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
};

const ScheduleCard: FC<CardProps> = ({ api, schedule, now, onSaved, onToggle, onRemove }) => {
  const { name, enabled, what, when, next_at, last, runs } = schedule;
  const { label, tone } = scheduleStatus(schedule);
  const isFinished = enabled && next_at === null;
  return (
    <li class="job-card">
      <div class="row spread">
        <h2>{name}</h2>
        <Pill tone={tone}>{label}</Pill>
      </div>
      <dl class="job-facts">
        <Fact label={t().schedules.when}>{formatScheduleTime(when)}</Fact>
        <Fact label={t().schedules.what}>
          <ScheduledAction what={what} />
        </Fact>
        {next_at ? (
          <Fact key="next" label={t().schedules.next}>
            {formatNextRun(next_at, now)}
          </Fact>
        ) : null}
        <Fact key="last" label={t().schedules.last}>
          {last ? <LastRun last={last} now={now} /> : t().schedules.never}
        </Fact>
      </dl>
      <div class="row spread">
        <span class="quiet small">{t().schedules.runs(runs)}</span>
        <span class="row">
          {isFinished ? null : (
            <Button
              key="toggle"
              class="small"
              aria-label={t().common.named(enabled ? t().background.pause : t().background.resume, name)}
              onClick={onToggle}
            >
              {enabled ? t().background.pause : t().background.resume}
            </Button>
          )}
          <RemoveButton key="remove" onConfirm={onRemove} />
        </span>
      </div>
      <EditSection name={name} version={JSON.stringify([name, when, what])}>
        {() => <ScheduleForm api={api} schedule={schedule} onSaved={onSaved} />}
      </EditSection>
    </li>
  );
};

const ScheduledAction: FC<{ what: ScheduleView["what"] }> = ({ what }) =>
  what.kind === "thread" ? (
    <span>{t().schedules.startsThread(what.create.goal ?? "")}</span>
  ) : (
    <>
      {t().schedules.sendsMessage(what.message.text)} <a href={threadHref(what.thread)}>{t().schedules.openThread}</a>
    </>
  );

const LastRun: FC<{ last: NonNullable<ScheduleView["last"]>; now: number }> = ({ last, now }) => (
  <>
    <span class={isProblem(last.outcome) ? "job-problem" : ""}>{lastRunLabel(last.outcome)}</span>{" "}
    {formatAgo(last.due_at, now)}{" "}
    {last.thread ? (
      <a key="thread" href={threadHref(last.thread)}>
        {t().schedules.openThread}
      </a>
    ) : null}
    {isProblem(last.outcome) ? (
      <a key="problem" href={`/problems/${last.outcome}`} target="_blank" rel="noreferrer">
        {t().common.aboutProblem}
      </a>
    ) : null}
  </>
);
