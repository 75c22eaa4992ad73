// Tests what `pawl workflow run` prints when a role suspends or a turn fails, and its exit code.
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { runWorkflow } from "../../src/cli/workflow.ts";
import { startTestServer } from "../support/server.ts";
import { ASKED, GOOD, PUBLISHED, visits, WRITTEN } from "../support/workflow.ts";

const PAIR = join(import.meta.dirname, "../fixtures/workflows/pair.yaml");
afterEach(() => vi.restoreAllMocks());

async function run(script: readonly ScriptEntry[]) {
  const printed: string[] = [];
  const capture = (text: unknown): boolean => printed.push(String(text)) > 0;
  vi.spyOn(process.stdout, "write").mockImplementation(capture);
  vi.spyOn(process.stderr, "write").mockImplementation(capture);
  const server = await startTestServer({ script });
  const code = await runWorkflow(PAIR, { url: server.url, prompt: "Rain." });
  await server.stop();
  return { code, text: printed.join(""), url: server.url };
}

test("a workflow that ends exits with 0", async () => {
  const { code, text } = await run(visits(WRITTEN, GOOD, PUBLISHED));
  expect(text).toContain("3. publisher: published");
  expect([code, text.includes("pawl chat")]).toEqual([0, false]);
});

test("a suspended role is shown with the command that answers it", async () => {
  const { code, text, url } = await run(visits(ASKED));
  expect(text).toMatch(
    new RegExp(`writer: For which audience\\?\npawl chat --thread thr_[0-9a-z]{26} --url ${url}\n$`),
  );
  expect(code).toBe(0);
});

test("a turn that fails is printed, and the command exits with 1", async () => {
  const { code, text } = await run([...visits(WRITTEN), ...Array(9).fill({ fail: "model_misconfigured" })]);
  expect(text).toContain("model_misconfigured");
  expect(code).toBe(1);
});

test("a server that cannot be reached is reported with a hint, and the command exits with 1", async () => {
  const printed: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text: unknown) => printed.push(String(text)) > 0);
  // Nothing listens on the discard port.
  expect(await runWorkflow(PAIR, { url: "http://127.0.0.1:9", prompt: "Rain." })).toBe(1);
  expect(printed.join("")).toMatch(
    /store_unavailable: http:\/\/127\.0\.0\.1:9 cannot be reached: .*\n {2}Check the URL/,
  );
});
