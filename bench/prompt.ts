// Measures the parts of the system message of four agents, and compares them with earlier versions for the same tools.
import { estimateTokens } from "../src/prompt/estimate.ts";
import { systemParts } from "../src/prompt/system-prompt.ts";
import { byteLength } from "../src/schema/byte-length.ts";
import { toolkitManifests } from "../src/toolkits/all.ts";

type Sizes = Readonly<Record<"rules" | "format" | "tools", number>>;
type Agent = { readonly name: string; readonly toolkits: readonly string[]; readonly before: Sizes };

/**
 * The agents. `before` is the size of the system message before 0.2.0 in bytes, with the tools of the same toolkits.
 */
const AGENTS: readonly Agent[] = [
  { name: "assistant", toolkits: ["basics"], before: { rules: 1599, format: 3130, tools: 5479 } },
  { name: "coder", toolkits: ["basics", "files", "shell"], before: { rules: 1599, format: 3220, tools: 10_730 } },
  { name: "scheduler", toolkits: ["basics", "timetable"], before: { rules: 1599, format: 3284, tools: 15_054 } },
  {
    name: "all-round",
    toolkits: ["basics", "files", "shell", "web", "automation", "timetable"],
    before: { rules: 1599, format: 3199, tools: 22_711 },
  },
];

const TARGET = 0.4;

export function run(): void {
  console.log("prompt: bytes of the system message, mode plan\n");
  console.log(`${"agent".padEnd(12)}${"part".padEnd(8)}  before   after   saved`);
  const saved = AGENTS.map(printAgent);
  const least = Math.min(...saved);
  console.log(`\nsaved at least ${percent(least)}. Target: >= ${percent(TARGET)}.`);
  if (least < TARGET) process.exitCode = 1;
}

function printAgent({ name, toolkits, before }: Agent): number {
  const tools = toolkitManifests().filter(({ toolkit }) => toolkits.includes(toolkit ?? ""));
  const parts = systemParts(tools, "plan", null);
  const after = Object.fromEntries(parts.map((part) => [part.name, byteLength(part.text)])) as Sizes;
  for (const part of ["rules", "format", "tools"] as const) printRow(name, part, before[part], after[part]);
  const [old, now] = [total(before), total(after)];
  const tokens = estimateTokens(parts.map(({ text }) => text).join("\n\n"));
  printRow(name, "total", old, now);
  console.log(`${"".padEnd(12)}about ${tokens} tokens, ${tools.length} tools\n`);
  return 1 - now / old;
}

const total = ({ rules, format, tools }: Sizes): number => rules + format + tools;
const percent = (share: number): string => `${Math.floor(100 * share)} %`;

function printRow(agent: string, part: string, before: number, after: number): void {
  const cells = [before, after].map((size) => String(size).padStart(8)).join("");
  console.log(`${agent.padEnd(12)}${part.padEnd(8)}${cells}${percent(1 - after / before).padStart(8)}`);
}

if (import.meta.main) run();
