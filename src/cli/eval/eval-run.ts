// One run of an eval task, as it is stored: one line of JSON.
import type { ServerOptions } from "../connect.ts";
import type { Verdict } from "./judges.ts";

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
