// Runs one benchmark by name: npm run bench -- core. Each benchmark is a file in this folder that exports run().
import { readdirSync } from "node:fs";

type Bench = { readonly run?: (args: readonly string[]) => void | Promise<void> };

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();
const [benchName, ...args] = process.argv.slice(2);

if (!benchName || !names.includes(benchName)) {
  console.error(benchName ? `There is no benchmark named ${benchName}.` : "Name a benchmark.");
  console.error(`npm run bench -- ${names.join("|")}`);
  process.exit(1);
}
const bench: Bench = await import(`./${benchName}.ts`);
if (!bench.run) throw new Error(`bench/${benchName}.ts does not export run()`);
await bench.run(args);
