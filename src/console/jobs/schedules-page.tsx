// The schedules page: timing, last outcome, and controls. Schedules are created through the API or by agents.
import type { FC } from "hono/jsx/dom";
import { useEffect } from "hono/jsx/dom";
import type { ScheduleView } from "../../client/jobs.ts";
import type { Api } from "../client/api.ts";
import { Code, ConfirmButton, Pill, useNow } from "../parts/components.tsx";
import { formatAgo, pluralize } from "../parts/format.ts";
import { ProblemCard } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";
import { curlExample } from "./curl-example.ts";
import { formatNextRun, formatScheduleTime, isProblem, lastRunLabel, scheduleStatus } from "./job-labels.ts";
import { usePolled } from "./use-polled.ts";

export const SchedulesPage: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.schedules.list());
  const now = useNow(5000);
  useEffect(() => {
    document.title = "Schedules · Pawl";
  }, []);
  return (
    <div class="inbox">
      <h1>Schedules</h1>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {value?.schedules.length === 0 ? <NoSchedules key="none" /> : null}
      <ul key="list" class="gate-list">
        {(value?.schedules ?? []).map((one) => (
          <ScheduleCard
            key={one.id}
            schedule={one}
            now={now}
            onToggle={() => void mutate(api.schedules.change(one.id, { enabled: !one.enabled }))}
            onRemove={() => void mutate(api.schedules.remove(one.id))}
          />
        ))}
      </ul>
    </div>
  );
};

type CardProps = {
  readonly schedule: ScheduleView;
  readonly now: number;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
};

const ScheduleCard: FC<CardProps> = ({ schedule, now, onToggle, onRemove }) => {
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
        <dt>When</dt>
        <dd>{formatScheduleTime(when)}</dd>
        <dt>What</dt>
        <dd>
          <ScheduledAction what={what} />
        </dd>
        {next_at ? (
          <>
            <dt>Next</dt>
            <dd>{formatNextRun(next_at, now)}</dd>
          </>
        ) : null}
        <dt>Last</dt>
        <dd>{last ? <LastRun last={last} now={now} /> : "never"}</dd>
      </dl>
      <div class="row spread">
        <span class="quiet small">{pluralize(runs, "run")} started</span>
        <span class="row">
          {isFinished ? null : (
            <button
              key="toggle"
              type="button"
              class="button small"
              aria-label={`${enabled ? "Pause" : "Resume"}: ${name}`}
              onClick={onToggle}
            >
              {enabled ? "Pause" : "Resume"}
            </button>
          )}
          <ConfirmButton
            key="remove"
            class="button small"
            label="Delete"
            confirmLabel="Confirm delete"
            onConfirm={onRemove}
          />
        </span>
      </div>
    </li>
  );
};

const ScheduledAction: FC<{ what: ScheduleView["what"] }> = ({ what }) =>
  what.kind === "thread" ? (
    <>starts a thread: {what.create.goal}</>
  ) : (
    <>
      sends a message to <a href={threadHref(what.thread)}>a thread</a>: {what.message.text}
    </>
  );

const LastRun: FC<{ last: NonNullable<ScheduleView["last"]>; now: number }> = ({ last, now }) => (
  <>
    <span class={isProblem(last.outcome) ? "job-problem" : ""}>{lastRunLabel(last.outcome)}</span>{" "}
    {formatAgo(last.due_at, now)}{" "}
    {last.thread ? (
      <a key="thread" href={threadHref(last.thread)}>
        Open the thread
      </a>
    ) : null}
    {isProblem(last.outcome) ? (
      <a key="problem" href={`/problems/${last.outcome}`} target="_blank" rel="noreferrer">
        About this problem
      </a>
    ) : null}
  </>
);

const EXAMPLE = `{
  "name": "nightly",
  "when": {"kind": "cron", "expression": "0 3 * * *", "time_zone": "Europe/Berlin"},
  "what": {"kind": "thread", "create": {"goal": "What is on Monday of week 1?"}}
}`;

const NoSchedules: FC = () => (
  <div class="empty-state">
    <p>No schedules are configured. A schedule starts a thread or sends it a message. Create one with a request:</p>
    <Code>{curlExample("/v1/schedules", EXAMPLE)}</Code>
    <p class="quiet small">Or ask an agent to create one. Its schedule_cron tool asks for your approval first.</p>
  </div>
);
