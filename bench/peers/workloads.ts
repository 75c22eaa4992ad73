// Lists the compared systems, the workloads and their sizes.
export const files = {
  "bare SQLite": "bare.ts",
  Pawl: "pawl.ts",
  "AI SDK 7": "ai-sdk.js",
  LangGraph: "langgraph.js",
  "OpenAI Agents": "openai-agents.js",
} as const;
export type SystemName = keyof typeof files;

export type Size = {
  readonly turns: number;
  readonly samples: number;
  readonly approvals: number;
  readonly threads: number;
  readonly connections: number;
  readonly seconds: number;
};
/** The sizes of a full run. Three rounds take less than ten minutes. */
export const FULL: Size = { turns: 1000, samples: 100, approvals: 200, threads: 800, connections: 16, seconds: 4 };
export const QUICK: Size = { turns: 1000, samples: 20, approvals: 40, threads: 80, connections: 16, seconds: 2 };

type Workload = { readonly title: string; readonly unit: "ms" | "per second" };
export const workloads = {
  approval: { title: "create, pause for an approval, resume to the answer", unit: "ms" },
  short: { title: "threads of 5 turns, interleaved", unit: "per second" },
  later: { title: "threads of 5 turns later, when the process has served for 8 s", unit: "per second" },
  http: { title: "turns over HTTP, 16 connections", unit: "per second" },
  old: { title: "turn 1000 of one thread", unit: "ms" },
} as const satisfies Record<string, Workload>;
export type WorkloadName = keyof typeof workloads;
