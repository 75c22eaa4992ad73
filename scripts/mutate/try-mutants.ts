// Distributes mutants over processes. A process that reports no verdict in time is ended and replaced. This can happen
// on a busy machine, so the mutant does not count as noticed.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Mutant } from "./catalog.ts";
import type { Trial, Verdict } from "./trial.ts";

export type Tried = {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  readonly ms: number;
  /** True if the process gave a verdict. If it was ended or failed, the mutant has to be tried again. */
  readonly ended: boolean;
};
export type Limits = Omit<Trial, "mutant">;

/** The time limit for the tests. No set of fast tests takes this long; the histories have a separate limit. */
const TESTS_LIMIT_MS = 240_000;
const HISTORY_LIMIT_MS = 500;

export async function tryMutants(
  mutants: readonly Mutant[],
  limits: Limits,
  jobs: number,
  onTried: (tried: Tried) => void,
): Promise<readonly Tried[]> {
  const queue = [...mutants];
  const tried: Tried[] = [];
  const work = async (): Promise<void> => {
    let child = await startChild();
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const started = Date.now();
      const verdict = await tryMutant(child, { mutant, ...limits });
      const result = { mutant, verdict: verdict ?? HUNG, ms: Date.now() - started, ended: verdict !== null };
      tried.push(result);
      onTried(result);
      if (verdict) continue;
      child.kill("SIGKILL");
      child = await startChild();
    }
    child.kill("SIGKILL");
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(jobs, mutants.length)) }, work));
  return tried;
}

const HUNG: Verdict = { killed: false, file: null, by: "the tests did not end in time: try it alone" };

async function startChild(): Promise<ChildProcess> {
  const child = fork(new URL("./trial.ts", import.meta.url));
  await once(child, "message");
  return child;
}

async function tryMutant(child: ChildProcess, trial: Trial): Promise<Verdict | null> {
  const { promise, resolve } = Promise.withResolvers<Verdict | null>();
  const timer = setTimeout(() => resolve(null), TESTS_LIMIT_MS + trial.histories * HISTORY_LIMIT_MS);
  const onExit = (): void => resolve(null);
  child.once("message", (verdict) => resolve(verdict as Verdict));
  child.once("exit", onExit);
  child.send(trial);
  const verdict = await promise;
  clearTimeout(timer);
  child.off("exit", onExit);
  return verdict;
}
