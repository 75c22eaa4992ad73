// A list of the server, looked at again while its page is seen, and the problems of looking at it and changing it.
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";

const LOOK_EVERY_MS = 10_000;
/** A worker does what was asked for after the answer. */
const SOON_MS = 800;

export type Looked<T> = {
  readonly value: T | null;
  /** What a problem card needs. */
  readonly trouble: { readonly problem: Problem; readonly again: () => void; readonly dismiss: () => void } | null;
  /** Something that changes the list: it is looked at again. */
  readonly act: (call: Promise<Result<unknown>>) => Promise<void>;
};

export function useLooked<T>(ask: () => Promise<Result<T>>): Looked<T> {
  const [value, setValue] = useState<T | null>(null);
  const [unseen, setUnseen] = useState<Problem | null>(null);
  // Apart: a look that went well does not take back what was refused before.
  const [refused, setRefused] = useState<Problem | null>(null);
  const gone = useRef(false);
  const look = async (): Promise<void> => {
    const told = await ask();
    if (gone.current) return;
    if (told.ok) setValue(() => told.value);
    setUnseen(told.ok ? null : told.problem);
  };
  useEffect(() => {
    void look();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void look();
    }, LOOK_EVERY_MS);
    return () => {
      gone.current = true;
      clearInterval(timer);
    };
  }, []);
  const act = async (call: Promise<Result<unknown>>): Promise<void> => {
    const done = await call;
    setRefused(done.ok ? null : done.problem);
    await look();
    setTimeout(() => void look(), SOON_MS);
  };
  const problem = refused ?? unseen;
  const dismiss = (): void => {
    setRefused(null);
    setUnseen(null);
  };
  const again = (): void => {
    setRefused(null);
    void look();
  };
  return { value, trouble: problem ? { problem, again, dismiss } : null, act };
}
