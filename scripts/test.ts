// Implements `npm test`: runs all tests, then prints those that failed and a line with the counts. Arguments are passed
// to vitest, except --full, which runs long suites completely instead of a fixed sample.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideBubblewrap } from "./bubblewrap.ts";
import { ensureChromium } from "./chromium.ts";
import { provideMariadb } from "./mariadb.ts";
import { provideRadicale } from "./radicale.ts";
import { storeTable } from "./store-table.ts";
import { summarizeTests, summaryLine } from "./test-report.ts";

ensureChromium();
provideBubblewrap();
provideMariadb();
provideRadicale();

const folder = mkdtempSync(join(tmpdir(), "pawl-test-"));
const report = join(folder, "report.json");
const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
// Shares compiled code between processes, because the tests start hundreds of them, mostly from the same sources.
const full = process.argv.includes("--full");
const args = process.argv.slice(2).filter((arg) => arg !== "--full");
const env = {
  NODE_COMPILE_CACHE: join(folder, "compiled"),
  ...process.env,
  ...(full ? { PAWL_TEST_SIZE: "full" } : {}),
};
const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters, ...args], {
  env,
  stdio: "inherit",
});

try {
  const text = readFileSync(report, "utf8");
  const table = storeTable(text);
  if (table) console.log(`${table}\n`);
  const summary = summarizeTests(text);
  for (const failure of summary.failures) console.log(`${failure}\n`);
  console.log(summaryLine(summary));
} catch {
  console.error("vitest wrote no report, so no tests were counted.");
}
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
