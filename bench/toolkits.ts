// Measures work of toolkits that grows with its input: judging SQL, and recalling one of 10,000 memories.

import { LOCAL_TENANT } from "../src/schema/ids.ts";
import { judgeSql } from "../src/toolkits/data/sql/judge-sql.ts";
import { MEMORIES_MAX, type Memory } from "../src/toolkits/memory/memory.ts";
import { memory } from "../src/toolkits/memory/toolkit.ts";
import { createMemoryDocuments } from "../test/support/documents-memory.ts";
import { plugToolkit } from "../test/support/toolkit.ts";
import { ALLOWED_TABLES, ATTACKS, MASKED_COLUMNS } from "../test/toolkits/data/attacks.ts";
import { ORDINARY } from "../test/toolkits/data/ordinary-queries.ts";
import { REPORTS } from "../test/toolkits/data/reports.ts";
import { median } from "./support/rates.ts";

const GUARD_MS = 1_500;
const RECALLS = 15;
const PAGE = 400;

function statementsPerSecond(statements: readonly string[]): number {
  const options = { dialect: "mysql" as const, tables: ALLOWED_TABLES, masked: MASKED_COLUMNS };
  for (const sql of statements) judgeSql(sql, options);
  const began = performance.now();
  let judged = 0;
  while (performance.now() - began < GUARD_MS) {
    for (const sql of statements) judgeSql(sql, options);
    judged += statements.length;
  }
  return (judged * 1_000) / (performance.now() - began);
}

const WORDS = Array.from({ length: 3_000 }, (_, n) => `${((n * 7_919) % 46_655).toString(36)}${n % 7}`);
const textOf = (n: number): string =>
  Array.from({ length: 30 }, (_, k) => WORDS[(n * 31 + k * k * 17 + k) % WORDS.length]).join(" ");

const aMemory = (n: number): Memory => ({
  name: `fact ${n}`,
  text: textOf(n),
  version: 1,
  trust: "trusted",
  thread: "thr_1",
  saved_at: new Date(n * 60_000).toISOString(),
  effect: `e${n}`,
  previous: [],
});

async function recallTimes(): Promise<readonly number[]> {
  const documents = createMemoryDocuments();
  for (let page = 0; page * PAGE < MEMORIES_MAX; page += 1) {
    const memories = Array.from({ length: PAGE }, (_, n) => aMemory(page * PAGE + n));
    await documents.save({ tenant: LOCAL_TENANT, kind: "memory", id: `${page}/default` }, { memories }, 0);
  }
  const { call } = plugToolkit(memory, { documents });
  const times: number[] = [];
  for (let n = 0; n < RECALLS; n += 1) {
    const began = performance.now();
    await call("memory_recall", { query: `${WORDS[n * 11]} ${WORDS[n * 13 + 1]} ${WORDS[n * 17 + 2]}` });
    times.push(performance.now() - began);
  }
  return times;
}

export async function runToolkits(): Promise<void> {
  const allowed = statementsPerSecond([...ORDINARY, ...REPORTS]);
  const refused = statementsPerSecond(Object.values(ATTACKS).flat());
  console.log("SQL guard: statements per second");
  console.log(`    ordinary queries ${allowed.toFixed(0).padStart(22)}`);
  console.log(`    attacks ${refused.toFixed(0).padStart(31)}`);
  const [first = 0, ...rest] = await recallTimes();
  console.log(`Memory: recall over ${MEMORIES_MAX} memories, milliseconds`);
  console.log(`    first query of a process ${first.toFixed(0).padStart(14)}`);
  console.log(`    later queries, median ${median(rest).toFixed(1).padStart(17)}`);
}
