// Lists failed background runs, with the reason and a button that restarts them, and runs in progress.
import type { FC } from "hono/jsx/dom";
import type { BackgroundRun } from "../../client/jobs.ts";
import type { Result } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Pill, useNow, VisibleText } from "../parts/components.tsx";
import { formatAgo } from "../parts/format.ts";
import { CardList, ListPage } from "../parts/list-page.tsx";
import { problemSentence } from "../parts/problem-card.tsx";
import { looksStopped, stateLabel } from "../parts/state-labels.ts";
import { threadHref } from "../shell/route.ts";
import { type ThreadRow, titleOf } from "../shell/thread-rows.ts";
import { parseReason } from "./background-labels.ts";
import { formatNextRun } from "./job-labels.ts";

const LIMIT = 50;

/** `progress` is null if no worker advances the thread. */
type Run = { readonly row: ThreadRow; readonly progress: BackgroundRun | null };

async function loadRuns(api: Api): Promise<Result<readonly Run[]>> {
  const pages = await Promise.all((["failed", "active"] as const).map((status) => api.list({ status, limit: LIMIT })));
  const failed = pages.find((page) => !page.ok);
  if (failed && !failed.ok) return failed;
  const rows = pages.flatMap((page) => (page.ok ? page.value.threads : []));
  return {
    ok: true,
    value: await Promise.all(
      rows.map(async (row) => {
        const progress = row.background ? await api.backgroundRun(row.id) : null;
        return { row, progress: progress?.ok ? progress.value : null };
      }),
    ),
  };
}

export const RunsPage: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => loadRuns(api));
  const now = useNow(5000);
  return (
    <ListPage title={t().nav.runs} lead={t().runs.lead} failure={failure}>
      <CardList key="list" items={value ?? undefined} none={t().runs.none}>
        {(run) => (
          <RunCard
            key={run.row.id}
            run={run}
            now={now}
            onCommand={(command) => void mutate(api[command](run.row.id, {}))}
            onReset={() => void mutate(reset(api, run.row))}
          />
        )}
      </CardList>
    </ListPage>
  );
};

/** Resets a failed thread. A background run then continues automatically. */
const reset = (api: Api, row: ThreadRow): Promise<Result<unknown>> => api.advance(row.id, { type: "reset" });

type Command = "run" | "pause" | "resume";
type CardProps = {
  readonly run: Run;
  readonly now: number;
  readonly onCommand: (command: Command) => void;
  readonly onReset: () => void;
};

const COMMANDS: Readonly<Record<"on" | "paused" | "dead", Command>> = { on: "pause", paused: "resume", dead: "run" };

const RunCard: FC<CardProps> = ({ run: { row, progress }, now, onCommand, onReset }) => {
  const reason = progress?.background?.reason;
  const { label, tone } = stateLabel(row, row.background, looksStopped(row, now));
  const command = COMMANDS[row.background ?? "dead"];
  const name = row.state === "failed" ? t().composer.reset : commandLabel(row.background, command);
  return (
    <li class="job-card">
      <div class="row spread">
        <a class="run-title" href={threadHref(row.id)}>
          {titleOf(row) || t().nav.noGoal}
        </a>
        <Pill tone={tone}>{label}</Pill>
      </div>
      {reason ? (
        <p key="reason" class="small job-problem">
          <VisibleText text={problemSentence(parseReason(reason))} />
        </p>
      ) : null}
      {progress?.next_at && progress.attempts > 1 ? (
        <p key="attempts" class="small job-problem">
          {t().runs.attempts(progress.attempts, formatNextRun(progress.next_at, now))}
        </p>
      ) : null}
      <div class="row spread">
        <time class="quiet small">{formatAgo(row.updated_at, now)}</time>
        <Button
          class="small"
          aria-label={t().common.named(name, titleOf(row))}
          onClick={() => (row.state === "failed" ? onReset() : onCommand(command))}
        >
          {name}
        </Button>
      </div>
    </li>
  );
};

function commandLabel(background: ThreadRow["background"], command: Command): string {
  if (background === undefined) return t().thread.runInBackground;
  return command === "run" ? t().runs.restart : t().background[command];
}
