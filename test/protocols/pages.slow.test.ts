// Runs the code of the pages about protocols and telemetry as printed, with the stock server and its demo model, and
// checks the types of all programs in pages.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "pawl-protocols-"));
let url = "";

beforeAll(async () => {
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  ({ url } = await startApp(folder));
}, 60_000);
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

const programsOf = (page: string): readonly string[] =>
  [...readSource(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

test.each(["ag-ui", "ai-sdk", "openai-clients", "mcp", "a2a"])("%s", { timeout: 60_000 }, async (page) => {
  const [code = ""] = programsOf(`docs/how-to/${page}.md`);
  const file = join(folder, `${page}.mts`);
  writeFileSync(file, code);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: { ...process.env, PAWL: url } });
  expect(stdout.length).toBeGreaterThan(10);
  expect(stdout).not.toContain("Error");
});

test("telemetry: the stock server loads the registration from a module of extend", { timeout: 60_000 }, async () => {
  const home = join(folder, "telemetry");
  mkdirSync(home);
  const lines = readSource("docs/how-to/telemetry.md").split("\n");
  const registration = lines.filter((line) => /^(import .*@opentelemetry|const processor|trace\.)/.test(line));
  writeFileSync(join(home, "register.mjs"), [...registration, "export const tools = [];"].join("\n"));
  writeFileSync(join(home, "pawl.config.json"), JSON.stringify({ extend: ["./register.mjs"] }));
  const app = await startApp(home);
  const { thread } = unwrap(await app.client.create({ goal: "Show day 3", mode: "direct" }));
  unwrap(await app.client.advanceUntilPause(thread.id));
  await expect.poll(app.output, { timeout: 20_000 }).toContain("execute_tool query_range");
});

const PAGES = ["a2a", "ag-ui", "ai-sdk", "client-tools", "configure-a-model", "mcp", "move-a-thread"];
const MORE_PAGES = ["openai-clients", "query-databases", "telemetry", "write-a-tool"];

test("the programs of the pages are valid TypeScript in strict projects", { timeout: 120_000 }, () => {
  const home = join(folder, "types");
  mkdirSync(home);
  const howTos = [...PAGES, ...MORE_PAGES].map((name) => `docs/how-to/${name}.md`);
  const programs = ["README.md", "docs/start.md", ...howTos].flatMap(programsOf);
  expect(programs.length).toBeGreaterThanOrEqual(13);
  for (const [i, code] of programs.entries()) writeFileSync(join(home, `${i}.mts`), code);
  const source = (path: string): string[] => [join(projectRoot, "src", path)];
  const paths = {
    pawl: source("index.ts"),
    "pawl/client": source("client.ts"),
    "pawl/dynamodb": source("adapters/store-dynamodb/index.ts"),
  };
  const { compilerOptions } = JSON.parse(readSource("tsconfig.json"));
  writeFileSync(
    join(home, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, paths }, include: ["*.mts"] }),
  );
  const typescript = join(projectRoot, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [typescript, "--project", home, "--noEmit"], {
    cwd: home,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});
