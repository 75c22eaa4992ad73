// Shows a problem: what happened, what to do, and a retry button where a retry can help.
import type { FC } from "hono/jsx/dom";
import { useEffect, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import { isConnectionProblem } from "../client/request-helpers.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, LongText } from "./components.tsx";
import { humanize } from "./format.ts";

export const ProblemCard: FC<{ problem: Problem; onRetry: (() => void) | null; dismiss?: () => void }> = (props) => {
  const { problem, onRetry, dismiss } = props;
  const wait = useRetryCountdown(problem);
  const label = t().labels.retryLabels[problem.retry] ?? "";
  return (
    <div class="problem" role="alert">
      <p class="problem-code">{isConnectionProblem(problem) ? t().connection.lost : humanize(problem.code)}</p>
      <p class="problem-message">{problem.message}</p>
      <p class="problem-hint">{problem.hint}</p>
      <p class="quiet">{t().labels.retryAdvice[problem.retry] ?? ""}</p>
      <Details problem={problem} />
      <div class="row">
        {onRetry && label ? (
          <button key="retry" type="button" class="button" disabled={wait > 0} onClick={onRetry}>
            {wait > 0 ? t().problem.retryIn(label, wait) : label}
          </button>
        ) : null}
        {dismiss ? (
          <button key="dismiss" type="button" class="button quiet-button" onClick={dismiss}>
            {t().common.dismiss}
          </button>
        ) : null}
      </div>
    </div>
  );
};

const Details: FC<{ problem: Problem }> = ({ problem }) => {
  const details = problem.details ?? {};
  return Object.keys(details).length === 0 || isConnectionProblem(problem) ? null : (
    <Disclosure label={t().common.details}>{() => <LongText text={JSON.stringify(details, null, 2)} />}</Disclosure>
  );
};

/** Counts down the delay that the server requested. */
function useRetryCountdown(problem: Problem): number {
  const retryAfter = problem.details?.retry_after_s;
  const [left, setLeft] = useState(typeof retryAfter === "number" ? Math.ceil(retryAfter) : 0);
  useEffect(() => {
    setLeft(typeof retryAfter === "number" ? Math.ceil(retryAfter) : 0);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}
