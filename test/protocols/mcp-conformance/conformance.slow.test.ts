// Runs MCP's conformance suite against the stock server, the same server with the tools that the scenarios call, and
// the client. Prints the counts of the suite.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as sdk from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { projectRoot } from "../../../scripts/read-source.ts";
import { pageRoute } from "../../../src/http/route.ts";
import { serveMcp } from "../../../src/protocols/mcp/server.ts";
import { bundledProgram } from "../../support/programs.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { isFullSize } from "../../support/test-size.ts";
import { CLIENT, FIXTURE, PRODUCT, type Reason, type Revision } from "./expected-failures.ts";
import { buildFixtureServer } from "./fixture-server.ts";

const SUITE = join(projectRoot, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const folder = mkdtempSync(join(tmpdir(), "pawl-conformance-"));
let server: TestServer;

beforeAll(async () => {
  const fixture = pageRoute("/fixture", (c) => serveMcp(c, sdk, () => buildFixtureServer(sdk)), "post");
  server = await startTestServer({ routes: [fixture] });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Side = "server" | "client";

/** Runs the suite, whose exit code is 0 if exactly the listed scenarios fail. */
async function runSuite(side: Side, target: readonly string[], revision: Revision, reasons: readonly Reason[]) {
  const expected = join(folder, `${crypto.randomUUID()}.yml`);
  writeFileSync(expected, stringify({ [side]: reasons.flatMap(({ scenarios }) => scenarios) }));
  const args = [SUITE, side, ...target, "--requirements", revision, "--expected-failures", expected];
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
  const [, passed = "0"] = /^Total: (\d+) passed/m.exec(output) ?? [];
  const count = reasons.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  console.log(
    `MCP conformance, ${side} ${revision}: ${passed} checks passed; ${count} scenarios or checks fail as listed`,
  );
  return { code, passed: Number(passed), summary: output.slice(output.lastIndexOf("=== SUMMARY")) };
}

const SERVERS: readonly (readonly [string, string, Revision, readonly Reason[], number])[] = [
  ["with the tools of the suite, of 2026-07-28", "/fixture", "2026-07-28", FIXTURE["2026-07-28"], 140],
  ["with the tools of the suite, of 2025-11-25", "/fixture", "2025-11-25", FIXTURE["2025-11-25"], 55],
  ["as it is, of 2026-07-28", "/mcp", "2026-07-28", PRODUCT["2026-07-28"], 100],
  ["as it is, of 2025-11-25", "/mcp", "2025-11-25", PRODUCT["2025-11-25"], 35],
];

test.each(SERVERS)("the server %s fails only the listed scenarios", async (_name, path, revision, reasons, least) => {
  const { code, passed, summary } = await runSuite("server", ["--url", `${server.url}${path}`], revision, reasons);
  expect(code, summary).toBe(0);
  // A scenario can pass without a single check.
  expect(passed).toBeGreaterThanOrEqual(least);
});

const CLIENTS: readonly (readonly [Revision, number])[] = [
  ["2026-07-28", 440],
  ["2025-11-25", 330],
];

// Each scenario starts a process and most are about OAuth, so an ordinary run uses only the newest revision.
const played = CLIENTS.slice(0, isFullSize() ? undefined : 1);

test.each(played)("the client fails only the listed scenarios of %s", { timeout: 300_000 }, async (revision, least) => {
  const program = await bundledProgram("test/protocols/mcp-conformance/client-program.ts");
  // The timeout is longer than the client waits for an answer.
  const target = ["--command", `${process.execPath} ${program}`, "--timeout", "90000"];
  const { code, passed, summary } = await runSuite("client", target, revision, CLIENT[revision]);
  expect(code, summary).toBe(0);
  expect(passed).toBeGreaterThanOrEqual(least);
});
