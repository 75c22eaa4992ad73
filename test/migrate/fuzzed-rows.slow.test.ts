// Tests damaged rows: the reader returns a problem or a record for any content and never throws.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { upgradeEntry, upgradeLoadedEntry, upgradeRecord, upgradeState } from "../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import type { Result } from "../../src/schema/problem.ts";
import { createRandom, type Random } from "../sim/random.ts";
import { attachTestThread, createTestRuntime } from "../support/runtime.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/threads");
type Stored = { readonly at: ThreadRef; readonly rows: readonly StoredRecord[] };
const threads = readdirSync(FOLDER).flatMap(
  (name) => (JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as { threads: Stored[] }).threads,
);
const rows = threads.flatMap((thread) => thread.rows);

const ODD: readonly string[] = [
  "null",
  "-1",
  "1e400",
  "[]",
  "{}",
  '""',
  '"\\ud800"',
  "true",
  '{"__proto__":1}',
  "9007199254740993",
];

/**
 * Applies one kind of damage: truncation, changed characters, values of another type, missing fields, or deep nesting.
 */
function damage(random: Random, text: string): string {
  switch (random.int(6)) {
    case 0:
      return text.slice(0, random.int(text.length));
    case 1: {
      const at = random.int(text.length);
      return text.slice(0, at) + String.fromCharCode(random.int(256)) + text.slice(at + 1);
    }
    case 2:
      return inField(random, text, (field) => `${field}:${random.pick(ODD)},"was":`);
    case 3:
      return inField(random, text, (field) => field.replace('"', '"not_'));
    case 4:
      return inField(random, text, (field) => `${field}:${"[".repeat(5000)}${"]".repeat(5000)},"was":`);
    default:
      return random.pick([
        "",
        "null",
        "[]",
        '"text"',
        "{}",
        '{"schema":1}',
        '{"schema":"1"}',
        `\ufeff${text}`,
        text + text,
      ]);
  }
}

function inField(random: Random, text: string, change: (field: string) => string): string {
  const fields = [...text.matchAll(/"[a-z_]+"(?=:)/g)];
  if (fields.length === 0) return text;
  const { 0: field, index } = random.pick(fields);
  return (
    text.slice(0, index) + change(field) + text.slice(index + field.length + (change(field).endsWith(":") ? 1 : 0))
  );
}

test("10,000 damaged rows are refused or read without an exception", () => {
  const random = createRandom(20_260_302, 0);
  const codes = new Map<string, number>();
  const count = (result: Result<unknown>): void => {
    const code = result.ok ? "ok" : result.problem.code;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  for (let n = 0; n < 10_000; n += 1) {
    const row = random.pick(rows);
    const broken = random.chance(0.5)
      ? { ...row, entry: damage(random, row.entry) }
      : { ...row, state: damage(random, row.state) };
    count(upgradeRecord(broken));
    upgradeLoadedEntry(broken.entry);
    upgradeEntry(broken.entry);
    upgradeState(broken.state);
  }
  expect([...codes.keys()].sort()).toEqual(["newer_version", "ok", "state_corrupt"]);
  expect(codes.get("state_corrupt")).toBeGreaterThan(5000);
});

function* thinking(): Generator<ScriptEntry> {
  for (;;) yield { action: "continue", reason: "hm" };
}

test("a turn on a damaged thread is refused or committed without an exception", async () => {
  const random = createRandom(20_260_303, 0);
  const inputs: readonly (TurnInput | null)[] = [null, { type: "message", text: "Go on" }, { type: "cancel" }];
  for (let n = 0; n < 2000; n += 1) {
    const { at, rows: whole } = random.pick(threads);
    const damaged = random.int(whole.length);
    const part = random.pick(["entry", "state"] as const);
    const data = createMemoryData();
    data.records.set(
      `${at.tenant}/${at.thread}`,
      whole.map((row, i) => (i === damaged ? { ...row, [part]: damage(random, row[part]) } : { ...row })),
    );
    const rt = createTestRuntime(thinking(), [], { store: createMemoryStore(data) });
    const answer = await attachTestThread(rt, at.thread).turn(random.pick(inputs), { at });
    if (!answer.ok) expect(answer.problem.code).not.toBe("internal");
  }
});
