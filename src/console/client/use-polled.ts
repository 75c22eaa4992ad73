// Reads resources of the server: once, or repeatedly while the page is visible.
import { useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";

const POLL_INTERVAL_MS = 10_000;
/** The delay before refreshing again, because workers apply some changes only after the response. */
const RECHECK_DELAY_MS = 800;

/** The request to pass to `mutate` if a form has already made the change itself. */
export const NOTHING: Promise<Result<null>> = Promise.resolve({ ok: true, value: null });

export type Polled<T> = {
  readonly value: T | null;
  readonly failure: { readonly problem: Problem; readonly onRetry: () => void; readonly dismiss: () => void } | null;
  /** Awaits a request that changes the resource, and then refreshes. */
  readonly mutate: (request: Promise<Result<unknown>>) => Promise<void>;
};

/** Runs a task immediately and regularly while the page is visible, and again when a dependency changes. */
export function useVisibleInterval(
  task: (isCurrent: () => boolean) => Promise<void>,
  dependencies: readonly unknown[],
): void {
  useLayoutEffect(() => {
    let isCurrent = true;
    const run = () => void task(() => isCurrent);
    run();
    const timer = setInterval(() => document.visibilityState === "visible" && run(), POLL_INTERVAL_MS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, dependencies);
}

/** Loads a value, and loads it again when a dependency changes. Drops a result that a later load has overtaken. */
export function useLoaded<T>(load: () => Promise<Result<T>>, dependencies: readonly unknown[]) {
  const [loaded, setLoaded] = useState<Result<T> | null>(null);
  useLayoutEffect(() => {
    let isCurrent = true;
    void load().then((result) => {
      if (isCurrent) setLoaded(() => result);
    });
    return () => {
      isCurrent = false;
    };
  }, dependencies);
  return { value: loaded?.ok ? loaded.value : null, problem: loaded?.ok === false ? loaded.problem : null };
}

export function usePolled<T>(load: () => Promise<Result<T>>): Polled<T> {
  const [value, setValue] = useState<T | null>(null);
  const [loadProblem, setLoadProblem] = useState<Problem | null>(null);
  // Kept separately, so that a successful refresh does not clear the problem of a failed change.
  const [mutationProblem, setMutationProblem] = useState<Problem | null>(null);
  const isMounted = useRef((): boolean => true);
  const refresh = async (): Promise<void> => {
    const result = await load();
    if (!isMounted.current()) return;
    if (result.ok) setValue(() => result.value);
    setLoadProblem(result.ok ? null : result.problem);
  };
  useVisibleInterval((isCurrent) => {
    isMounted.current = isCurrent;
    return refresh();
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
