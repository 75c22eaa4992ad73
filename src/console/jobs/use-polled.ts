// Polls a server resource while its page is visible, and tracks the problems of loading and changing it.
import { useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";

const POLL_INTERVAL_MS = 10_000;
/** The delay before refreshing again, because workers apply some changes only after the response. */
const RECHECK_DELAY_MS = 800;

/** The request to pass to `mutate` if a form has already made the change itself. */
export const NOTHING: Promise<Result<null>> = Promise.resolve({ ok: true, value: null });

export type Polled<T> = {
  readonly value: T | null;
  /** The props for a problem card. */
  readonly failure: { readonly problem: Problem; readonly onRetry: () => void; readonly dismiss: () => void } | null;
  /** Awaits a request that changes the resource, and then refreshes. */
  readonly mutate: (request: Promise<Result<unknown>>) => Promise<void>;
};

export function usePolled<T>(load: () => Promise<Result<T>>): Polled<T> {
  const [value, setValue] = useState<T | null>(null);
  const [loadProblem, setLoadProblem] = useState<Problem | null>(null);
  // Kept separately, so that a successful refresh does not clear the problem of a failed change.
  const [mutationProblem, setMutationProblem] = useState<Problem | null>(null);
  const unmounted = useRef(false);
  const refresh = async (): Promise<void> => {
    const result = await load();
    if (unmounted.current) return;
    if (result.ok) setValue(() => result.value);
    setLoadProblem(result.ok ? null : result.problem);
  };
  useLayoutEffect(() => {
    void refresh();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refresh();
    }, POLL_INTERVAL_MS);
    return () => {
      unmounted.current = true;
      clearInterval(timer);
    };
  }, []);
  const mutate = async (request: Promise<Result<unknown>>): Promise<void> => {
    const result = await request;
    setMutationProblem(result.ok ? null : result.problem);
    await refresh();
    setTimeout(() => void refresh(), RECHECK_DELAY_MS);
  };
  const problem = mutationProblem ?? loadProblem;
  const dismiss = (): void => {
    setMutationProblem(null);
    setLoadProblem(null);
  };
  const retry = (): void => {
    setMutationProblem(null);
    void refresh();
  };
  return { value, failure: problem ? { problem, onRetry: retry, dismiss } : null, mutate };
}
