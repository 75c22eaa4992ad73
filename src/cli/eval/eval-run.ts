// Defines how the run of an eval task is stored, which is as one line of JSON.
import * as z from "zod";
import type { ServerOptions } from "../connect.ts";
import { overallScore, type Verdict } from "./judges.ts";

export type EvalRun = {
  readonly id: string;
  readonly task: string;
  readonly at: string;
  readonly config: { readonly agent: string; readonly model: string | null; readonly version: string };
  readonly thread: string;
  readonly outcome: string | null;
  readonly judges: readonly Verdict[];
  readonly overall: number;
};
export type EvalOptions = ServerOptions & { readonly json?: boolean; readonly results: string };

const Score = z.number().min(0).max(1);

/** A baseline file may be edited by hand, so the overall score is checked against the scores of the judges. */
const StoredRun = z
  .looseObject({
    id: z.string(),
    task: z.string(),
    at: z.string(),
    thread: z.string(),
    outcome: z.string().nullable(),
    judges: z.array(z.looseObject({ name: z.string(), weight: z.number().min(0), score: Score.nullable() })),
    overall: Score,
  })
  .refine(({ judges, overall }) => Math.abs(overall - overallScore(judges)) < 1e-3);

/** Returns null if the line does not contain a valid run. */
export function readRun(line: string): EvalRun | null {
  try {
    const parsed = StoredRun.safeParse(JSON.parse(line));
    return parsed.success ? (parsed.data as unknown as EvalRun) : null;
  } catch {
    return null;
  }
}
