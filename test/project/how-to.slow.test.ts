// The pages about jobs: every command is run as printed, against a server in a process of its own, and prints what the
// page says.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { printed, runSteps, type Step, stepsOf } from "../support/doc-page.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-how-to-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

/** A place like a checkout, but with data of its own. */
function aCheckout(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  for (const part of ["examples", "node_modules", "package.json"])
    symlinkSync(join(projectRoot, part), join(place, part));
  return place;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

function expectPrinted(steps: readonly Step[], told: readonly string[]): void {
  expect(told).toHaveLength(steps.length);
  for (const [n, { code, prints }] of steps.entries()) {
    if (prints !== null) expect(told[n], code).toMatch(printed(prints));
  }
}

test.concurrent.each(["background-jobs", "schedules"])("%s works as printed", async (name) => {
  const place = aCheckout(name);
  const steps = stepsOf(`docs/how-to/${name}.md`);
  expect(steps.filter(({ prints }) => prints !== null).length).toBeGreaterThanOrEqual(4);
  const app = await startApp(place);
  const told = await runSteps(steps, place, { PAWL: app.url });
  await app.stop();
  expectPrinted(steps, told);
});

test.concurrent("webhooks works as printed", async () => {
  const place = aCheckout("webhooks");
  const steps = stepsOf("docs/how-to/webhooks.md");
  const start = steps.findIndex(({ code }) => code === "npm start\n");
  expect(start).toBe(1);
  const RECEIVER = `127.0.0.1:${await freePort()}`;
  // What is written before the server starts, then the server, then the rest in one shell that knows the same names.
  const [first] = steps;
  if (!first) throw new Error("no first step");
  await runSteps([first], place, { RECEIVER });
  const app = await startApp(place);
  const rest = [first, ...steps.slice(start + 1)];
  const told = await runSteps(rest, place, { RECEIVER, PAWL: app.url });
  await app.stop();
  expectPrinted(rest, told);
});
