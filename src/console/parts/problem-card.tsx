// Shows a problem: what happened, what to do, and a retry button if a retry can help.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import { isConnectionProblem } from "../client/request-helpers.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure, LongText } from "./components.tsx";
import { humanize } from "./format.ts";

export const ProblemCard: FC<{ problem: Problem; onRetry: (() => void) | null; dismiss?: () => void }> = (props) => {
  const { problem, onRetry, dismiss } = props;
  const wait = useRetryCountdown(problem);
  const label = t().labels.retryLabels[problem.retry] ?? "";
  /** Names the invalid field, because the server's sentence about it is collapsed. */
  const field = problem.details?.field;
  const advice = isConnectionProblem(problem) ? null : t().problem.advice(problem.code);
  return (
    <div class="problem" role="alert">
      <p class="problem-code">{isConnectionProblem(problem) ? t().connection.lost : problemTitle(problem.code)}</p>
      {advice === null ? (
        <ServerText key="text" problem={problem} />
      ) : (
        <p key="advice" class="problem-hint">
          {advice}
          {typeof field === "string" ? (
            <>
              {" "}
              <code>{field}</code>
            </>
          ) : null}
        </p>
      )}
      <p class="quiet">{t().labels.retryAdvice[problem.retry] ?? ""}</p>
      <Details problem={problem} withText={advice !== null} />
      <div class="row">
        {onRetry && label ? (
          <Button key="retry" disabled={wait > 0} onClick={onRetry}>
            {wait > 0 ? t().problem.retryIn(label, wait) : label}
          </Button>
        ) : null}
        {dismiss ? (
          <Button key="dismiss" class="quiet-button" onClick={dismiss}>
            {t().common.dismiss}
          </Button>
        ) : null}
      </div>
    </div>
  );
};

/** Returns a title in the user's language, or the code as words. */
export const problemTitle = (code: string): string => t().problem.title(code) ?? humanize(code);

/** Returns what happened, in the language of the user if there is a sentence for the code. */
export const problemSentence = ({
  code,
  message,
}: Pick<Problem, "message"> & { readonly code: string | null }): string =>
  (code === null ? null : t().problem.advice(code)) ?? message;

const ServerText: FC<{ problem: Problem }> = ({ problem }) => (
  <>
    <p class="problem-message">{problem.message}</p>
    <p class="problem-hint">{problem.hint}</p>
  </>
);

/** Shows details, including the server's text if the card shows a translation instead. */
const Details: FC<{ problem: Problem; withText: boolean }> = ({ problem, withText }) => {
  const details = problem.details ?? {};
  const hasDetails = Object.keys(details).length > 0 && !isConnectionProblem(problem);
  return !hasDetails && !withText ? null : (
    <Disclosure label={t().common.details}>
      {() => (
        <>
          {withText ? <ServerText key="text" problem={problem} /> : null}
          {hasDetails ? <LongText key="details" text={JSON.stringify(details, null, 2)} /> : null}
        </>
      )}
    </Disclosure>
  );
};

function useRetryCountdown(problem: Problem): number {
  const retryAfter = problem.details?.retry_after_s;
  const [left, setLeft] = useState(typeof retryAfter === "number" ? Math.ceil(retryAfter) : 0);
  useLayoutEffect(() => {
    setLeft(typeof retryAfter === "number" ? Math.ceil(retryAfter) : 0);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}
