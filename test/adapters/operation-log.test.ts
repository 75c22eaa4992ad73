import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createLocalOperationLog } from "../../src/adapters/operation-log-local/operation-log.ts";
import { OperationId, TenantId, ThreadId, type ThreadRef } from "../../src/schema/ids.ts";
import type { ProgressLine } from "../../src/schema/progress-line.ts";
import { createMemoryOperationLog } from "../support/memory-operation-log.ts";
import { problemCode, unwrap } from "../support/runtime.ts";
import { idOf } from "../support/thread.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-operations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (tenant: string, thread: number): ThreadRef => ({
  tenant: TenantId.parse(tenant),
  thread: ThreadId.parse(idOf("thr", thread)),
});
const operation = (n: number): OperationId => OperationId.parse(idOf("opr", n));
const line = (n: number, text = `piece ${n}\nwith \u2028 lines and 世界\r\n`): ProgressLine => ({
  n,
  at: "2026-01-05T08:00:00.000Z",
  kind: "chunk",
  stage: null,
  text,
});
const all = { after: -1, limit: 1_000 };
let made = 0;
const logs = {
  memory: createMemoryOperationLog,
  local: () => createLocalOperationLog(join(folder, String(made++))),
};

describe.each(Object.entries(logs))("operation log: %s", (_name, create) => {
  test("returns lines in order, in pages", async () => {
    const log = create();
    const lines = Array.from({ length: 25 }, (_, n) => line(n));
    for (const one of lines) unwrap(await log.append(at("local", 1), operation(1), one));
    expect(unwrap(await log.read(at("local", 1), operation(1), all))).toEqual({ lines, after: null });
    const first = unwrap(await log.read(at("local", 1), operation(1), { after: -1, limit: 10 }));
    expect(first).toEqual({ lines: lines.slice(0, 10), after: 9 });
    expect(unwrap(await log.read(at("local", 1), operation(1), { after: 19, limit: 10 }))).toEqual({
      lines: lines.slice(20),
      after: null,
    });
  });

  test("separates tenants, threads and operations", async () => {
    const log = create();
    unwrap(await log.append(at("local", 1), operation(1), line(0)));
    for (const [ref, id] of [
      [at("other", 1), 1],
      [at("local", 2), 1],
      [at("local", 1), 2],
    ] as const) {
      expect(problemCode(await log.read(ref, operation(id), all))).toBe("operation_not_found");
    }
  });

  test("is removed with the thread, even twice", async () => {
    const log = create();
    unwrap(await log.append(at("local", 1), operation(1), line(0)));
    unwrap(await log.append(at("local", 2), operation(2), line(0)));
    unwrap(await log.remove(at("local", 1)));
    unwrap(await log.remove(at("local", 1)));
    expect(problemCode(await log.read(at("local", 1), operation(1), all))).toBe("operation_not_found");
    expect(unwrap(await log.read(at("local", 2), operation(2), all)).lines).toHaveLength(1);
  });
});

describe("logs as files", () => {
  test("are lines of JSON that only the server's user can read", async () => {
    const own = join(folder, "files");
    const log = createLocalOperationLog(own);
    unwrap(await log.append(at("local", 1), operation(1), line(0)));
    unwrap(await log.append(at("local", 1), operation(1), line(1)));
    const file = join(own, "local", idOf("thr", 1), `${operation(1)}.jsonl`);
    expect(
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text)),
    ).toEqual([line(0), line(1)]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test("a line truncated by a crash is skipped", async () => {
    const own = join(folder, "cut");
    const log = createLocalOperationLog(own);
    unwrap(await log.append(at("local", 1), operation(1), line(0)));
    const file = join(own, "local", idOf("thr", 1), `${operation(1)}.jsonl`);
    writeFileSync(file, `${readFileSync(file, "utf8")}${JSON.stringify(line(1)).slice(0, 30)}`);
    expect(unwrap(await log.read(at("local", 1), operation(1), all)).lines).toEqual([line(0)]);
  });

  test("a folder that is not writable gives store_unavailable with a retry time", async () => {
    const own = join(folder, "taken");
    writeFileSync(own, "a file where the folder would be");
    const problem = { code: "store_unavailable", details: { retry_after_s: 2 } };
    expect(await createLocalOperationLog(own).append(at("local", 1), operation(1), line(0))).toMatchObject({ problem });
  });

  test("large chunks make short pages, and each page continues where the last one ended", async () => {
    const log = createLocalOperationLog(join(folder, "large"));
    for (let n = 0; n < 8; n += 1) unwrap(await log.append(at("local", 1), operation(1), line(n, "x".repeat(400_000))));
    const seen: number[] = [];
    for (let after: number | null = -1; after !== null; ) {
      const page: { lines: readonly ProgressLine[]; after: number | null } = unwrap(
        await log.read(at("local", 1), operation(1), { after, limit: 100 }),
      );
      expect(page.lines.length).toBeLessThanOrEqual(2);
      seen.push(...page.lines.map((one) => one.n));
      after = page.after;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
