// Tests schema 2 of stored rows: how schema 1 is migrated, and how a release that knows only schema 1 responds.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { upgradeRecord } from "../../src/migrate/upgrade.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { createWriteTool, look } from "../support/tools.ts";

type Row = { readonly version: number; readonly entry: string; readonly state: string };

const stored = JSON.parse(readFileSync(new URL("../fixtures/threads/v1-simulated.json", import.meta.url), "utf8")) as {
  threads: { rows: Row[] }[];
};
const oldRows = stored.threads.flatMap(({ rows }) => rows);

describe("a row of schema 1", () => {
  test("keeps every stored value, and gets the fields of schema 2", () => {
    for (const row of oldRows) {
      const { entry, state } = unwrap(upgradeRecord(row));
      const before = JSON.parse(row.state) as Record<string, unknown>;
      expect(entry).toEqual({ ...JSON.parse(row.entry), schema: 2 });
      expect(state).toEqual({
        ...before,
        schema: 2,
        evidence_kind: state.evidence_kind,
        results: [],
        changes: [],
        toolkits: null,
      });
    }
  });

  test("gets the kind of evidence that its proofs show", () => {
    const kinds = oldRows.map((row) => {
      const { evidence, evidence_kind, proofs } = unwrap(upgradeRecord(row)).state;
      if (evidence === null) expect(evidence_kind).toBeNull();
      if (evidence === "none") expect(evidence_kind).toBe("none");
      if (evidence_kind === "written") expect(proofs.some(({ kind }) => kind === "write")).toBe(true);
      return evidence_kind;
    });
    expect(new Set(kinds)).toContain("observed");
    expect(new Set(kinds)).toContain(null);
  });

  test("that is damaged is refused, not repaired", () => {
    const [row] = oldRows;
    if (!row) throw new Error("no rows");
    const damaged = { ...row, state: row.state.replace('"proofs":', '"proof":') };
    expect(upgradeRecord(damaged)).toMatchObject({ ok: false, problem: { code: "state_corrupt" } });
  });
});

/** Does what release 0.1 does first with a column, before it reads any other field. */
const answerOfOlderRelease = (column: string): string => {
  const { schema } = JSON.parse(column) as { schema: unknown };
  if (typeof schema !== "number") return "state_corrupt";
  return schema > 1 ? "newer_version" : "ok";
};

test("an older release answers newer_version for every row, whatever is new in it", async () => {
  const script = [
    { action: "plan_done", plan_steps: [{ content: "Write", needs: "any" }] },
    { action: "confirm", tool_call: { name: "write", arguments: { line: "a" } }, finishes_step: true },
    "Written.",
  ];
  const rt = createTestRuntime(script, [look, createWriteTool([], { confirm: false })]);
  const thread = await createTestThread(rt, { goal: "Write it", plan_approval: "auto", auto_approve: ["write"] });
  for (let i = 0; i < 3; i++) unwrap(await thread.turn());
  const rows = unwrap(await rt.store.records(thread.at, { after: -1, limit: 99 }));
  expect(rows.length).toBeGreaterThan(3);
  for (const { entry, state } of rows)
    expect([answerOfOlderRelease(entry), answerOfOlderRelease(state)]).toEqual(["newer_version", "newer_version"]);
});
