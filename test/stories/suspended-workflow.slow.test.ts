// Three roles form a loop. The writer suspends in one process, and a user answers a day later in another one.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ThreadView } from "../../src/schema/turn-result.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-workflow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(import.meta.dirname, "../support/workflow-process.ts");

function runProcess(...args: readonly string[]): { readonly thread: ThreadView; readonly prompts: readonly string[] } {
  const output = execFileSync(process.execPath, [script, join(folder, "store.db"), ...args], { encoding: "utf8" });
  return JSON.parse(output);
}

test("a suspended role is answered a day later in another process, and the workflow runs to its end", () => {
  const suspended = runProcess("start", "0").thread;
  expect(suspended.workflow).toMatchObject({ status: "suspended", suspended_role: "writer", count: 3 });
  expect(suspended.gate).toMatchObject({ kind: "suspend", text: "For which audience?", expires_at: null });

  const { thread, prompts } = runProcess(suspended.id, "1");
  expect(prompts[0]).toContain("## Instruction\nFor which audience?\n\nFor children.");
  expect(thread).toMatchObject({ state: "rest", outcome: "completed", workflow: { status: "end", count: 6 } });
  expect(thread.workflow?.steps.map(({ role, status }) => `${role} ${status}`)).toEqual([
    "writer written",
    "reviewer bad",
    "writer $SUSPEND",
    "writer written",
    "reviewer good",
    "publisher published",
  ]);
  expect(Date.parse(thread.updated_at) - Date.parse(thread.created_at)).toBeGreaterThanOrEqual(86_400_000);
});
