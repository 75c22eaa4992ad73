// A problem as people need it: what happened, what to do, and a way to try again where that makes sense.
import type { FC } from "hono/jsx/dom";
import { useEffect, useState } from "hono/jsx/dom";
import type { Problem, Retry } from "../../schema/problem.ts";
import { Disclosure, LongText } from "./components.tsx";
import { humanize } from "./format.ts";

const RETRY_LABEL: Readonly<Record<Retry, string>> = {
  "same-request": "Try again",
  later: "Try again",
  "after-reload": "Load the thread again",
  "after-fix": "",
  never: "",
};
const RETRY_ADVICE: Readonly<Record<Retry, string>> = {
  "same-request": "The same request may simply be sent again.",
  later: "The same request may be sent again in a moment.",
  "after-reload": "Somebody was faster: look again, then decide again.",
  "after-fix": "Sending the same again will not help; change what the hint names.",
  never: "Sending the same again will not help.",
};

export const ProblemCard: FC<{ problem: Problem; onRetry: (() => void) | null; dismiss?: () => void }> = (props) => {
  const { problem, onRetry, dismiss } = props;
  const wait = useRetryCountdown(problem);
  const label = RETRY_LABEL[problem.retry] ?? "";
  return (
    <div class="problem" role="alert">
      <p class="problem-code">{humanize(problem.code)}</p>
      <p class="problem-message">{problem.message}</p>
      <p class="problem-hint">{problem.hint}</p>
      <p class="quiet">{RETRY_ADVICE[problem.retry] ?? ""}</p>
      <Details problem={problem} />
      <div class="row">
        {onRetry && label ? (
          <button key="again" type="button" class="button" disabled={wait > 0} onClick={onRetry}>
            {wait > 0 ? `${label} in ${wait} s` : label}
          </button>
        ) : null}
        {dismiss ? (
          <button key="dismiss" type="button" class="button quiet-button" onClick={dismiss}>
            Dismiss
          </button>
        ) : null}
      </div>
    </div>
  );
};

const Details: FC<{ problem: Problem }> = ({ problem }) => {
  const details = problem.details ?? {};
  return Object.keys(details).length === 0 ? null : (
    <Disclosure label="Details">{() => <LongText text={JSON.stringify(details, null, 2)} />}</Disclosure>
  );
};

/** Counts down what the server asked us to wait. */
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
