// A list of the server, looked at again while its page is seen, and the problems of looking at it and changing it.
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";

const POLL_INTERVAL_MS = 10_000;
/** A worker does what was asked for after the answer. */
const RECHECK_DELAY_MS = 800;

export type Polled<T> = {
  readonly value: T | null;
  /** What a problem card needs. */
  readonly failure: { readonly problem: Problem; readonly onRetry: () => void; readonly dismiss: () => void } | null;
  /** Something that changes the list: it is looked at again. */
  readonly mutate: (request: Promise<Result<unknown>>) => Promise<void>;
};

export function usePolled<T>(load: () => Promise<Result<T>>): Polled<T> {
  const [value, setValue] = useState<T | null>(null);
  const [loadProblem, setLoadProblem] = useState<Problem | null>(null);
  // Apart: a look that went well does not take back what was refused before.
  const [mutationProblem, setMutationProblem] = useState<Problem | null>(null);
  const unmounted = useRef(false);
  const refresh = async (): Promise<void> => {
    const result = await load();
    if (unmounted.current) return;
    if (result.ok) setValue(() => result.value);
    setLoadProblem(result.ok ? null : result.problem);
  };
  useEffect(() => {
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
