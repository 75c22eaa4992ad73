import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSource } from "../../scripts/read-source.ts";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";

let folder: string;
let app: AppProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-reference-"));
  app = await startApp(folder);
});
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

const page = readSource("docs/reference/http.md");
const calls = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");

/** Runs all requests in one shell, as a reader would type them. A line after each block separates their output. */
const run = (): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const script = `set -eu\n${calls.map((call) => `${call}\necho; echo '=== next'\n`).join("")}`;
    execFile(
      "sh",
      ["-c", script],
      { cwd: folder, env: { PATH: process.env.PATH ?? "", PAWL: app.url } },
      (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${out}\n${err}`)) : resolve(out.split("=== next\n")),
    );
  });

test("the calls of the HTTP reference work as printed", async () => {
  const outputs = await run();
  const shown = [
    ["/v1/gates?limit=10", /"kind":"confirmation"/],
    ["cmp done.json", /idempotency-replayed: true/i],
    ["if-match", /^412$/m],
    ["turns/3/prompt", /"outcome":"completed"/],
    ["turns/3/prompt", /"role":"system"/],
    ["last-event-id", /^id: 5$/m],
    ["ticket=", /^\{"events":\[/m],
    ["turns/999", /"code":"turn_not_found"/],
    ["turns/999", /# turn_not_found$/m],
  ] as const;
  const missing = shown.filter(([part, wanted]) => {
    const at = calls.findIndex((call) => call.includes(part));
    return !wanted.test(outputs[at] ?? "");
  });
  expect(missing).toEqual([]);
});
