import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { open as openBare } from "../../bench/peers/bare.ts";
import { open as openPawl } from "../../bench/peers/pawl.ts";
import { readLog } from "../support/wal-log.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-peers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["bare SQLite", openBare, 4],
  ["Pawl", openPawl, 6],
])("%s runs the workloads of the comparison", async (name, open, commits) => {
  const own = mkdtempSync(join(folder, "system-"));
  const path = join(own, "bench.db");
  const session = await open(path);
  const before = readLog(path).commits;
  await session.turn(await session.create());
  const id = await session.create();
  await session.pause(id);
  await session.resume(id);
  expect(readLog(path).commits - before, name).toBe(commits + 1);
});

test("the compared packages have exact versions and are not installed with the project", () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
  const { dependencies } = read("../../bench/peers/package.json");
  const project = read("../../package.json");
  for (const [name, version] of Object.entries(dependencies)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    if (name !== "zod") expect(project.dependencies).not.toHaveProperty([name]);
  }
});
