import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { createLocalOperationLog } from "../../src/adapters/operation-log-local/operation-log.ts";
import { LOCAL_TENANT, OperationId, ThreadId } from "../../src/schema/ids.ts";
import { unwrap } from "../support/runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-long-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BYTES = 104_857_600;
/**
 * V8 lets garbage grow to 50 MB before it reuses memory. With a small young generation, growth shows what the code
 * retains.
 */
const YOUNG_GENERATION = "--max-semi-space-size=4";
const GROWN_MB_MAX = 60;
const script = new URL("../support/long-output-process.ts", import.meta.url).pathname;
const play = async (kind: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, [YOUNG_GENERATION, script, folder, kind], {
    maxBuffer: 1_048_576,
  });
  return JSON.parse(stdout);
};

describe("an output of 100 MB", () => {
  test("takes no more memory than a short one, and its receipt knows all of it", async () => {
    const ran = await play("stream");
    expect(ran.receipt).toMatchObject({ success: true, size: BYTES, sha256: ran.expected });
    expect(ran.operation.chunks).toBeGreaterThanOrEqual(6_400);
    expect(ran.shown).toBeLessThan(9_000);
    expect(ran.grown_mb).toBeLessThan(GROWN_MB_MAX);
    const log = createLocalOperationLog(join(folder, "operations"));
    const at = { tenant: LOCAL_TENANT, thread: ThreadId.parse(ran.thread) };
    let received = 0;
    let next = 0;
    for (let after: number | null = -1; after !== null; ) {
      // Only the first megabytes are read again, because a page is read from the beginning of the file.
      const page: Awaited<ReturnType<typeof log.read>> = await log.read(at, OperationId.parse(ran.operation.id), {
        after,
        limit: 1_000,
      });
      for (const line of unwrap(page).lines) {
        expect(line.n).toBe(next++);
        received += line.text.length;
      }
      after = received < 8_000_000 ? unwrap(page).after : null;
    }
    expect(received).toBeGreaterThanOrEqual(8_000_000);
    const last = unwrap(
      await log.read(at, OperationId.parse(ran.operation.id), { after: ran.operation.chunks - 2, limit: 10 }),
    );
    expect(last.lines.at(-1)?.kind).toBe("done");
  });

  test("of a command that writes nothing but zeros is as cheap", async () => {
    const ran = await play("bash");
    expect(ran.receipt).toMatchObject({ success: true, source: "tool_observation" });
    // The end contains the output of the command and how it ended, perhaps with a note about processes that other
    // programs started in the meantime.
    const ending = ran.receipt.size - BYTES;
    expect(ending).toBeGreaterThanOrEqual("\nexit code 0".length);
    expect(ending).toBeLessThan(200);
    expect(ran.grown_mb).toBeLessThan(GROWN_MB_MAX);
  });
});
