// The pages about jobs: every command is run as printed, against a server in a process of its own, and prints what the
// page says.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { type DocCommand, outputPattern, readCommands, runCommands } from "../support/doc-commands.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-how-to-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

/** A place like a checkout, but with data of its own. */
function createCheckout(name: string): string {
  const checkout = join(folder, name);
  mkdirSync(checkout);
  for (const part of ["examples", "node_modules", "package.json"])
    symlinkSync(join(projectRoot, part), join(checkout, part));
  return checkout;
}

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

test.concurrent.each(["background-jobs", "schedules"])("%s works as printed", async (name) => {
  const checkout = createCheckout(name);
  const steps = readCommands(`docs/how-to/${name}.md`);
  expect(steps.filter(({ expectedOutput }) => expectedOutput !== null).length).toBeGreaterThanOrEqual(4);
  const app = await startApp(checkout);
  const outputs = await runCommands(steps, checkout, { PAWL: app.url });
  await app.stop();
  expectPrinted(steps, outputs);
});

test.concurrent("webhooks works as printed", async () => {
  const checkout = createCheckout("webhooks");
  const steps = readCommands("docs/how-to/webhooks.md");
  const start = steps.findIndex(({ code }) => code === "npm start\n");
  expect(start).toBe(1);
  const RECEIVER = `127.0.0.1:${await freePort()}`;
  // What is written before the server starts, then the server, then the rest in one shell that knows the same names.
  const [first] = steps;
  if (!first) throw new Error("no first step");
  await runCommands([first], checkout, { RECEIVER });
  const app = await startApp(checkout);
  const rest = [first, ...steps.slice(start + 1)];
  const outputs = await runCommands(rest, checkout, { RECEIVER, PAWL: app.url });
  await app.stop();
  expectPrinted(rest, outputs);
});
