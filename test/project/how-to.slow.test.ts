// Runs the commands and programs of the how-to pages as printed, with a server in a separate process, and compares
// their output with the page.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRadicale } from "../../scripts/radicale.ts";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { createClient } from "../../src/client/client.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { type DocCommand, outputPattern, readCommands, runCommands } from "../support/doc-commands.ts";
import { minimalEnvironment } from "../support/minimal-environment.ts";
import { type OpenAiStub, startOpenAiStub } from "../support/openai-stub.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-how-to-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

const LINKED = ["bin", "examples", "node_modules", "package.json"];

/** Creates a folder that resembles a checkout but has its own data. */
function createCheckout(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  for (const part of LINKED) symlinkSync(join(projectRoot, part), join(place, part));
  return place;
}

/** Expects a page to remove the files that its commands wrote. The server's data stays. */
const expectNoFilesLeft = (place: string): void => expect(readdirSync(place).sort()).toEqual([".pawl", ...LINKED]);

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

function expectPrinted(steps: readonly DocCommand[], outputs: readonly string[]): void {
  expect(outputs).toHaveLength(steps.length);
  for (const [n, { code, expectedOutput }] of steps.entries()) {
    if (expectedOutput !== null) expect(outputs[n], code).toMatch(outputPattern(expectedOutput));
  }
}

test.concurrent.each(["background-jobs", "evaluate", "schedules", "sub-agents", "workflows"])(
  "%s works as printed",
  async (name) => {
    const checkout = createCheckout(name);
    const steps = readCommands(`docs/how-to/${name}.md`);
    expect(steps.filter(({ expectedOutput: prints }) => prints !== null).length).toBeGreaterThanOrEqual(1);
    const app = await startApp(checkout);
    const outputs = await runCommands(steps, checkout, { PAWL: app.url });
    await app.stop();
    expectPrinted(steps, outputs);
    expectNoFilesLeft(checkout);
  },
);

test.concurrent("webhooks works as printed", async () => {
  const place = createCheckout("webhooks");
  const steps = readCommands("docs/how-to/webhooks.md");
  const PAWL_CONFIG = "webhooks.config.json";
  const start = steps.findIndex(({ code }) => code === `PAWL_CONFIG=${PAWL_CONFIG} npm start\n`);
  expect(start).toBe(1);
  const RECEIVER = `127.0.0.1:${await freePort()}`;
  // The first step runs before the server starts. The rest runs in one shell with the same variables.
  const [first] = steps;
  if (!first) throw new Error("no first step");
  await runCommands([first], place, { RECEIVER });
  const app = await startApp(place, { PAWL_CONFIG });
  const rest = [first, ...steps.slice(start + 1)];
  const outputs = await runCommands(rest, place, { RECEIVER, PAWL: app.url });
  await app.stop();
  expectPrinted(rest, outputs);
  expectNoFilesLeft(place);
});

test.skipIf(!findRadicale())("connect-a-calendar works as printed", async () => {
  const place = createCheckout("connect-a-calendar");
  const steps = readCommands("docs/how-to/connect-a-calendar.md");
  const [first, radicale, start, ...rest] = steps;
  if (!first || !radicale || !start) throw new Error("steps are missing");
  expect([radicale.code, start.code]).toEqual([
    "radicale --config radicale.config\n",
    "HOME_PASSWORD='correct horse' PAWL_CONFIG=calendar.config.json npm start\n",
  ]);
  const DAV = `127.0.0.1:${await freePort()}`;
  await runCommands([first], place, { DAV });
  const server = spawn(findRadicale() ?? "", ["--config", "radicale.config"], { cwd: place, stdio: "ignore" });
  const app = await startApp(place, { PAWL_CONFIG: "calendar.config.json", HOME_PASSWORD: "correct horse" });
  const outputs = await runCommands([first, ...rest], place, { DAV, PAWL: app.url });
  await app.stop();
  server.kill();
  expectPrinted([first, ...rest], outputs);
  expectNoFilesLeft(place);
});

/** Returns the programs of a page whose first line names their file, with the package replaced by the sources. */
const programsOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...readSource(page).matchAll(/^```ts\n\/\/ ([\w-]+\.ts)\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => [
      name,
      code.replace('from "pawl"', `from ${JSON.stringify(join(projectRoot, "src/index.ts"))}`),
    ]),
  );

describe("embed", () => {
  const place = createCheckout("embed");
  let stub: OpenAiStub;
  const env = () => ({ OPENAI_BASE_URL: stub.base_url, APP_KEY: "secret", DATA: join(place, "agent.db") });
  beforeAll(async () => {
    for (const [name, code] of programsOf("docs/how-to/embed.md")) writeFileSync(join(place, name), code);
    stub = await startOpenAiStub();
    stub.setDefault({ kind: "text", text: JSON.stringify({ action: "answer", speak: "Order 17 is on its way." }) });
  });
  afterAll(() => stub.close());

  test("its programs are valid TypeScript", () => {
    const files = ["runtime.ts", "hono.ts", "express.ts", "local.ts", "worker.ts"];
    const options =
      "--noEmit --strict --noUncheckedIndexedAccess --module nodenext --target es2024 --allowImportingTsExtensions --skipLibCheck";
    const typescript = join(projectRoot, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [typescript, ...options.split(" "), ...files], {
      cwd: place,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  });

  test("the runtime serves threads in a Hono and in an Express app, and SQLite keeps them in between", async () => {
    let thread = "";
    for (const program of ["hono.ts", "express.ts"]) {
      const app = await startApp(place, env(), relative(projectRoot, join(place, program)));
      expect(await (await fetch(app.url)).text()).toBe("my app");
      expect((await fetch(`${app.url}/v1/threads`)).status).toBe(401);
      const client = createClient(app.url, "secret");
      if (thread !== "") expect(await client.get(thread)).toMatchObject({ ok: true, value: { next: "none" } });
      const created = await client.create({ goal: "Where is order 17?" });
      if (!created.ok) throw new Error(created.problem.message);
      thread = created.value.thread.id;
      const answered = await client.advanceUntilPause(thread);
      expect(answered).toMatchObject({ ok: true, value: { turn: { speak: "Order 17 is on its way." } } });
      app.kill();
      await app.ended;
    }
  });

  test.each([
    ["the runtime answers without HTTP", "local.ts", "Order 17 is on its way.\n"],
    ["a job worker in process advances a background run", "worker.ts", "The run has ended.\n"],
  ])("%s", async (_title, name, printed) => {
    const program = spawn(process.execPath, [name], { cwd: place, env: minimalEnvironment(env()) });
    const [printedText] = await Promise.all([text(program.stdout), once(program, "exit")]);
    expect(printedText).toBe(printed);
  });
});

describe("write-a-toolkit", () => {
  test("works as printed", async () => {
    const place = createCheckout("write-a-toolkit");
    for (const [name, code] of programsOf("docs/how-to/write-a-toolkit.md")) writeFileSync(join(place, name), code);
    const steps = readCommands("docs/how-to/write-a-toolkit.md");
    const start = steps.findIndex(({ code }) => code === "npm start\n");
    expect(start).toBe(1);
    const [first] = steps;
    if (!first) throw new Error("no first step");
    await runCommands([first], place, {});
    const app = await startApp(place);
    const rest = steps.slice(start + 1);
    const outputs = await runCommands(rest, place, { PAWL: app.url });
    await app.stop();
    expectPrinted(rest, outputs);
    expectNoFilesLeft(place);
  });

  test("shows the example that the host tests load", () => {
    const example = readSource("examples/07-toolkit.ts")
      .replace('"../src/index.ts"', '"pawl"')
      .split("\n")
      .slice(1)
      .join("\n");
    expect(readSource("docs/how-to/write-a-toolkit.md")).toContain(example.trim());
  });
});

test("write-a-store shows the example that passes the contract", () => {
  const example = readSource("examples/05-own-store.ts")
    .replace('"../src/index.ts"', '"pawl"')
    .replace('"../src/testing/index.ts"', '"pawl/testing"');
  expect(readSource("docs/how-to/write-a-store.md")).toContain(`\`\`\`ts\n${example}\`\`\``);
  expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(40);
});
