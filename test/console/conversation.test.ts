import { describe, expect, test } from "vitest";
import { toolTimeline } from "../../src/console/panels/tool-timeline.ts";
import { headline, type RecordView, turnOfReceipt, turnsOf } from "../../src/console/thread/conversation.ts";
import { fail } from "../../src/schema/problem.ts";
import type { Entry } from "../../src/schema/record.ts";
import { aCallEntry, anEntry, aReceipt, idOf } from "../support/thread.ts";

const log = (...entries: readonly Entry[]): readonly RecordView[] =>
  entries.map((entry, version) => ({ ...entry, version, size: 100 * (version + 1) }));

const linesOf = (entry: Entry) => turnsOf(log(entry))[0]?.lines;
const gate = { id: idOf("gat", 1), kind: "confirmation", text: null };

describe("conversation from records", () => {
  test("the goal and every message are user lines", () => {
    const created = anEntry({ turn: 0, create: { goal: "Tidy up" } });
    const message = anEntry({ turn: 1, input: { type: "message", text: "And quickly" }, speak: "Sure." });
    expect(turnsOf(log(created, message)).flatMap((turn) => turn.lines)).toEqual([
      { kind: "user", text: "Tidy up" },
      { kind: "user", text: "And quickly" },
      { kind: "speak", text: "Sure." },
    ]);
  });

  test("groups the records of a turn", () => {
    const records = log(anEntry({ turn: 0 }), anEntry({ turn: 1 }), aCallEntry({ turn: 1 }), anEntry({ turn: 2 }));
    expect(turnsOf(records).map((turn) => [turn.number, turn.records.length])).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  test("a turn without new records stays the same object", () => {
    const records = log(anEntry({ turn: 0 }), anEntry({ turn: 1 }), aCallEntry({ turn: 1 }));
    const before = turnsOf(records.slice(0, 2));
    const after = turnsOf(records, before);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[1]?.records).toHaveLength(2);
  });

  test.each([
    [{ decision: "approve" }, "approved", "ann approved query_range"],
    [
      { decision: "approve", edited_arguments: { day: 5 } },
      "approved",
      "ann approved query_range with changed arguments",
    ],
    [{ decision: "reject", reason: "not now" }, "rejected", "ann rejected query_range: “not now”"],
  ])("%o becomes a notice", (answer, how, text) => {
    const input = { type: "confirm", gate_id: idOf("gat", 1), digest: "d", ...answer };
    const entry = aCallEntry({ turn: 1 }, { actor: "ann", input, closed_gate: { ...gate, how } });
    expect(linesOf(entry)?.[0]).toMatchObject({ kind: "notice", text });
  });

  test("shows changes of the background run, and links a rolled-back message to its fork", () => {
    const created = anEntry({ turn: 0, create: { goal: "Tidy up" } });
    const changed = anEntry({ turn: 1, actor: "ann" });
    const fork = idOf("thr", 2);
    const rolledBack = anEntry({ turn: 2, actor: "ann", rolled_back: { to: fork, version: 0 } });
    const turns = turnsOf(log(created, changed, rolledBack));
    expect(turns[1]?.lines).toEqual([{ kind: "notice", tone: "plain", text: "ann changed the background run" }]);
    expect(turns[2]?.lines).toMatchObject([{ kind: "notice", thread: fork }]);
    expect(turns.map(headline)).toEqual(["created", "background run", "message to a fork"]);
  });

  test("shows that a gate expired", () => {
    const entry = anEntry({ closed_gate: { ...gate, how: "expired" } });
    expect(linesOf(entry)).toEqual([
      { kind: "notice", tone: "bad", text: "No response in time: the approval expired" },
    ]);
  });

  test("marks a late result that contradicts the recorded one", () => {
    const late = aCallEntry({ turn: 1, text: "sent after all" });
    const receipts = late.receipts.map((receipt) => ({ ...receipt, contradicts: idOf("rcp", 9) }) as typeof receipt);
    expect(linesOf({ ...late, receipts })).toMatchObject([
      { kind: "notice", tone: "bad", text: "The tool returned late, and its result contradicts the recorded one" },
      { kind: "result", result: { observation: { text: "sent after all" } } },
    ]);
  });

  test("shows a settled call with its arguments, but not an intended one", () => {
    const used = aCallEntry({ turn: 1, arguments: { day: 3 }, text: "free: 1-4" });
    expect(linesOf(used)).toMatchObject([
      { kind: "result", result: { arguments: { day: 3 }, observation: { text: "free: 1-4" } } },
    ]);
    const settled = used.receipts[0];
    const intended = anEntry({
      receipts: [{ ...settled, kind: "intended", settle_by: settled?.started_at, success: null }],
    });
    expect(linesOf(intended)).toEqual([]);
  });

  test.each([
    ["run.delivered", "completed"],
    ["run.answered", "completed"],
    ["run.aborted", "aborted"],
    ["run.exhausted", "exhausted"],
    ["run.cancelled", "cancelled"],
  ])("%s ends the run as %s", (signal, outcome) => {
    expect(linesOf(anEntry({ run: 2, signals: [signal] }))).toEqual([{ kind: "end", outcome, run: 2 }]);
  });

  test("a failed turn is not called delivered", () => {
    const problem = { code: "model_unavailable", message: "x", hint: "y", retry: "later", status: 503 } as const;
    const titles = [{ problem }, { signals: ["run.delivered"] }, {}].map((fields, i) => {
      const [turn] = turnsOf([{ ...anEntry({ turn: i + 1, ...fields } as object), version: i + 1, size: 1 }]);
      return turn && headline(turn);
    });
    expect(titles.slice(0, 2)).toEqual(["failed", "delivered"]);
    expect(titles[2]).not.toBe("delivered");
  });

  test("the headline of a turn names the decision and the tool", () => {
    const value = { action: "continue", tool_call: { name: "query_range", arguments: {} } };
    const [turn] = turnsOf(log(aCallEntry({ turn: 1 }, { decision: { for: "execute", value } })));
    expect(turn && headline(turn)).toBe("continue · query_range");
  });

  test("a turn that brought no decision is not called delivered", () => {
    const { problem } = fail("decision_invalid", "Not JSON.");
    const [failed, delivered] = turnsOf(
      log(anEntry({ turn: 1, problem }), anEntry({ turn: 2, signals: ["run.delivered"] })),
    );
    expect([failed && headline(failed), delivered && headline(delivered)]).toEqual(["failed", "delivered"]);
  });

  test("finds the turn of a receipt", () => {
    const turns = turnsOf(log(anEntry({ turn: 0 }), aCallEntry({ turn: 1 }), aCallEntry({ turn: 2 })));
    expect(turnOfReceipt(turns, idOf("rcp", 2))).toBe(2);
    expect(turnOfReceipt(turns, idOf("rcp", 9))).toBeNull();
  });
});

describe("tool timeline", () => {
  const effect_id = idOf("eff", 1);
  const times = { started_at: "2026-01-05T08:00:00.000Z", finished_at: "2026-01-05T08:00:02.000Z" };

  test("combines the intended and settled receipts of one effect", () => {
    const settled = aReceipt({ effect_id, source: "write_receipt", name: "move", ...times });
    const { finished_at: _, size: __, sha256: ___, ...rest } = settled;
    const intended = { ...rest, kind: "intended", settle_by: times.finished_at, success: null };
    const running = turnsOf(log(anEntry({ turn: 1, receipts: [intended] })));
    expect(toolTimeline(running)).toMatchObject([{ name: "move", status: "running", ms: null }]);
    const done = turnsOf(log(anEntry({ turn: 1, receipts: [intended] }), anEntry({ turn: 1, receipts: [settled] })));
    expect(toolTimeline(done)).toMatchObject([{ name: "move", status: "succeeded", ms: 2000 }]);
  });

  test("distinguishes a rejected call from one that failed", () => {
    const receipts = [
      aReceipt({ id: idOf("rcp", 1), success: false }),
      aReceipt({ id: idOf("rcp", 2), success: false, rejected: true }),
    ];
    const statuses = toolTimeline(turnsOf(log(anEntry({ receipts })))).map(({ status }) => status);
    expect(statuses).toEqual(["failed", "rejected"]);
  });

  test("ignores user replies", () => {
    const reply = aReceipt({ source: "user_reply", name: "answer" });
    expect(toolTimeline(turnsOf(log(anEntry({ receipts: [reply] }))))).toEqual([]);
  });
});
