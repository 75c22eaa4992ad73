// Lists the runs of a thread, and compares two of them side by side.
import { type FC, memo, useMemo, useState } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { formatElapsed, formatNumber, successLabel } from "../parts/format.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Table } from "../parts/table.tsx";
import type { Turn } from "../thread/conversation.ts";
import { type RunSummary, runContent, runSummaries, toggleSelection } from "./turn-times.ts";

const Runs: FC<{ turns: readonly Turn[] }> = ({ turns }) => {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const runs = useMemo(() => runSummaries(turns).filter(({ run }) => run > 0), [turns]);
  if (runs.length < 2) return null;
  const compared = runs.filter(({ run }) => chosen.includes(run));
  return (
    <div class="contents">
      <p class="quiet small">{t().panels.chooseTwoRuns}</p>
      <RunTable runs={runs} chosen={chosen} onToggle={(run) => setChosen(toggleSelection(chosen, run))} />
      {compared.length === 2 ? (
        <div key="compare" class="compare">
          {compared.map((one) => (
            <RunColumn key={one.run} summary={one} turns={turns} />
          ))}
        </div>
      ) : null}
    </div>
  );
};

export const RunsCompared = memo(Runs);

const resultOf = ({ outcome }: RunSummary): string =>
  outcome ? t().labels.outcomes[outcome] : t().labels.groups.active;

type TableProps = {
  readonly runs: readonly RunSummary[];
  readonly chosen: readonly number[];
  readonly onToggle: (run: number) => void;
};

const RunTable: FC<TableProps> = ({ runs, chosen, onToggle }) => (
  <Table
    label={t().panels.runs}
    columns={[t().panels.runs, t().panels.result, t().panels.turns, t().panels.time, t().panels.tokens]}
    rows={runs.map((one) => [
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.includes(one.run)}
          aria-label={t().panels.compareRun(one.run)}
          onChange={() => onToggle(one.run)}
        />{" "}
        {one.run}
      </label>,
      resultOf(one),
      formatNumber(one.turns),
      formatElapsed(one.ms),
      formatNumber(one.tokens),
    ])}
  />
);

const RunColumn: FC<{ summary: RunSummary; turns: readonly Turn[] }> = ({ summary, turns }) => {
  const { goal, calls, answer } = runContent(turns, summary.run);
  return (
    <section aria-label={t().panels.run(summary.run)}>
      <h4>
        {t().panels.run(summary.run)} · {resultOf(summary)}
      </h4>
      <h5>{t().panels.goal}</h5>
      <p class="small">{goal}</p>
      {calls.length > 0 ? (
        <>
          <h5>{t().panels.calls}</h5>
          <ol class="plain-list small">
            {calls.map((receipt) => (
              <li key={receipt.id}>
                <code>{receipt.name}</code> <span class="quiet">{successLabel(receipt)}</span>
              </li>
            ))}
          </ol>
        </>
      ) : null}
      {answer ? (
        <>
          <h5>{t().panels.answer}</h5>
          <div class="small">
            <Markdown text={answer} />
          </div>
        </>
      ) : null}
    </section>
  );
};
