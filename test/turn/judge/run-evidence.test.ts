import { describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import type { Needs } from "../../../src/schema/plan.ts";
import type { ProofKind } from "../../../src/schema/thread.ts";
import { sourceOf } from "../../../src/turn/act/receipts.ts";
import { withReceipt } from "../../../src/turn/act/with-receipt.ts";
import { runEvidence } from "../../../src/turn/judge/run-evidence.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { aReceipt, aState, idOf } from "../../support/thread.ts";
import { createWriteTool, look } from "../../support/tools.ts";

type StepFacts = { readonly needs: Needs; readonly open?: true; readonly proofs?: readonly ProofKind[] };

const evidenceFor = (...steps: readonly StepFacts[]) =>
  runEvidence(
    aState({
      goal: "Look around",
      machine: { mode: "plan", step: steps.length - 1, steps: steps.length },
      plan: steps.map(({ needs, open }) => ({
        content: "Do it",
        done_when: null,
        needs,
        ...(open ? { needs_open: true } : {}),
      })),
      proofs: steps.flatMap(({ proofs = [] }, step) =>
        proofs.map((kind) => ({ step, kind, receipt_id: idOf("rcp", step + 1), summary: "done" })),
      ),
    }),
  );

describe("the evidence for a run", () => {
  test.each<[string, readonly StepFacts[], string, string]>([
    ["a look", [{ needs: "observation", proofs: ["observation"] }], "proven", "observed"],
    ["a write", [{ needs: "write", proofs: ["observation", "write"] }], "proven", "written"],
    ["a reply", [{ needs: "reply", proofs: ["reply"] }], "proven", "replied"],
    ["a step that lacks its kind", [{ needs: "write", proofs: ["observation"] }], "none", "observed"],
    ["an open step with a look only", [{ needs: "any", open: true, proofs: ["observation"] }], "none", "observed"],
    ["an open step with a write", [{ needs: "any", open: true, proofs: ["write"] }], "proven", "written"],
    [
      "an order to write with a look",
      [{ needs: "observation", open: true, proofs: ["observation"] }],
      "none",
      "observed",
    ],
    ["an order to write with a write", [{ needs: "observation", open: true, proofs: ["write"] }], "proven", "written"],
    [
      "an order to write that needs nothing",
      [
        { needs: "observation", proofs: ["observation"] },
        { needs: "none", open: true },
      ],
      "none",
      "observed",
    ],
    ["a stored step of an older release", [{ needs: "any", proofs: ["observation"] }], "proven", "observed"],
    [
      "a last step that tells",
      [{ needs: "observation", proofs: ["observation"] }, { needs: "none" }],
      "proven",
      "observed",
    ],
    ["nothing", [{ needs: "none" }], "none", "none"],
    ["a look in a step that needs nothing", [{ needs: "none", proofs: ["observation"] }], "none", "observed"],
  ])("with %s", (_what, steps, evidence, evidence_kind) => {
    expect(evidenceFor(...steps)).toEqual({ evidence, evidence_kind });
  });

  test("without a plan is not proven while a change that failed was never made", () => {
    const looked = { step: 0, kind: "observation" as const, receipt_id: idOf("rcp", 1), summary: "looked" };
    const direct = { goal: "What is in the folder?", machine: { mode: "direct" }, plan: null, proofs: [looked] };
    expect(runEvidence(aState(direct))).toEqual({ evidence: "proven", evidence_kind: "observed" });
    const failed = { ...direct, failed_writes: [0] };
    expect(runEvidence(aState(failed))).toEqual({ evidence: "none", evidence_kind: "observed" });
    const repaired = { ...failed, proofs: [looked, { ...looked, kind: "write" as const }] };
    expect(runEvidence(aState(repaired))).toEqual({ evidence: "proven", evidence_kind: "written" });
  });

  test("does not miss a file that a person rejected", () => {
    const proofs = [{ step: 0, kind: "write" as const, receipt_id: idOf("rcp", 1), summary: "wrote", files: [] }];
    const other = { goal: "Write report.txt", machine: { mode: "direct" as const }, plan: null, proofs };
    expect(runEvidence(aState(other))).toEqual({ evidence: "none", evidence_kind: "written" });
    const rejected = aState({ ...other, rejections: { write_file: 1 } });
    expect(runEvidence(rejected)).toEqual({ evidence: "proven", evidence_kind: "written" });
  });

  test("a step that should write a file is never reported as proven or written after a look", async () => {
    const plan = { action: "plan_done", plan_steps: [{ content: "Write report.txt" }] };
    const looking = { action: "continue", tool_call: { name: "look", arguments: { at: "." } } };
    const script = [plan, plan, looking, { action: "done", goal_check: "written" }, "I wrote it."];
    const rt = createTestRuntime(script, [look, createWriteTool([])]);
    const thread = await createTestThread(rt, { goal: "Write report.txt", plan_approval: "auto" });
    const planned = unwrap(await thread.turn()).outcome;
    expect(planned.turn?.corrections).toHaveLength(1);
    expect(planned.thread.plan).toMatchObject([{ needs: "any", needs_open: true }]);
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    const delivered = unwrap(await thread.turn()).outcome;
    expect(delivered.thread).toMatchObject({ evidence: "none", evidence_kind: "observed" });
    expect(delivered.turn?.speak).toContain("none shows a change");
  });
});

describe("a step that orders a change and declares another proof", () => {
  const looking = { action: "continue", tool_call: { name: "look", arguments: { at: "." } } };
  const planOf = (...plan_steps: object[]) => ({ action: "plan_done", plan_steps });
  const start = (script: readonly ScriptEntry[], goal = "Write report.txt") => {
    const rt = createTestRuntime([...script], [look, createWriteTool([])]);
    return createTestThread(rt, { goal, plan_approval: "auto" });
  };

  test("is corrected once, and never reported as proven by a look", async () => {
    const plan = planOf({ content: "Write report.txt", needs: "observation" });
    const done = { action: "done", goal_check: "report.txt is written", delivery: "I wrote report.txt." };
    const thread = await start([plan, plan, looking, done]);
    const planned = unwrap(await thread.turn()).outcome;
    expect(planned.turn?.corrections).toMatchObject([
      { message: expect.stringContaining("step 1, or, if it changes") },
    ]);
    expect(planned.thread.plan).toMatchObject([{ needs: "observation", needs_open: true }]);
    unwrap(await thread.turn());
    const delivered = unwrap(await thread.turn()).outcome;
    expect(delivered.thread).toMatchObject({ outcome: "completed", evidence: "none", evidence_kind: "observed" });
    expect(delivered.turn?.speak).toContain("none shows a change");
  });

  test("is not offered an end without proof, and a list of steps does not call it done", async () => {
    const plan = planOf(
      { content: "Look", needs: "observation" },
      { content: "Write report.txt", needs: "observation" },
    );
    const next = { action: "next_plan", goal_check: "seen" };
    const again = { action: "continue", tool_call: { name: "look", arguments: { at: "src" } } };
    const done = { action: "done", goal_check: "written" };
    const thread = await start([plan, plan, looking, next, done, again, done, ""]);
    for (let i = 0; i < 3; i += 1) unwrap(await thread.turn());
    const refused = unwrap(await thread.turn()).outcome;
    expect(refused.turn?.corrections).toMatchObject([{ message: expect.stringContaining("needs an observation") }]);
    unwrap(await thread.turn());
    const delivered = unwrap(await thread.turn()).outcome;
    expect(delivered.turn?.speak).toContain("[ ] Write report.txt");
  });

  test("is asked for its kind and for missing ones in one correction", async () => {
    const plan = planOf({ content: "Look around" }, { content: "删除 old.log", needs: "reply" });
    const thread = await start([plan, planOf({ content: "Look around", needs: "observation" })]);
    const { corrections } = unwrap(await thread.turn()).outcome.turn ?? {};
    expect(corrections).toHaveLength(1);
    expect(corrections?.[0]?.message).toMatch(/needs for step 1:.*"write" for step 2/);
  });

  test("is the goal itself in a run without a plan", () => {
    const proofs = [{ step: 0, kind: "observation" as const, receipt_id: idOf("rcp", 1), summary: "looked" }];
    const direct = aState({ goal: "Write report.txt", machine: { mode: "direct" }, plan: null, proofs });
    expect(runEvidence(direct)).toEqual({ evidence: "none", evidence_kind: "observed" });
  });
});

describe("a look that is not about the file that is named", () => {
  const looking = (args: object) => ({ action: "continue", tool_call: { name: "look", arguments: args } });
  const done = { action: "done", goal_check: "done", delivery: "Done." };
  const evidenceOf = async (
    goal: string,
    mode: "plan" | "direct",
    plan: readonly object[],
    calls: readonly ScriptEntry[],
  ) => {
    const planned = mode === "plan" ? [{ action: "plan_done", plan_steps: plan }] : [];
    const next = plan.length > 1 ? [{ action: "next_plan", goal_check: "done" }] : [];
    const script: readonly ScriptEntry[] = [
      ...planned,
      ...calls.flatMap((call, i) => (i + 1 < calls.length ? [call, ...next] : [call])),
      done,
    ];
    const rt = createTestRuntime([...script], [look, createWriteTool([], { confirm: false })]);
    const thread = await createTestThread(rt, { goal, mode, plan_approval: "auto" });
    let reported = "";
    for (const _ of script) {
      const { evidence, evidence_kind } = unwrap(await thread.turn()).outcome.thread;
      reported = `${evidence} ${evidence_kind}`;
    }
    return reported;
  };
  const step = (content: string, done_when?: string) => ({ content, done_when, needs: "observation" });

  test.each([
    ["in Russian", "Отчёт", step("Записать report.txt")],
    ["in Korean", "보고서", step("report.txt 작성")],
    ["in Arabic", "تقرير", step("اكتب report.txt")],
    ["by a verb that is not read as an order", "A report", step("Produce report.txt")],
    ["in done_when", "A report", step("The report", "report.txt is there")],
    ["in the goal", "report.txt на диске", step("Папка")],
    ["in the goal, in English", "Write report.txt", step("The folder")],
  ])("proves nothing %s", async (_what, goal, one) => {
    expect(await evidenceOf(goal, "plan", [one], [looking({ at: "." })])).toBe("none observed");
  });

  test("proves nothing in a run without a plan", async () => {
    expect(await evidenceOf("Записать report.txt", "direct", [], [looking({ at: "." })])).toBe("none observed");
  });

  const writing = (line: string) => ({ action: "continue", tool_call: { name: "write", arguments: { line } } });
  const writeStep = (content: string) => ({ content, needs: "write" });

  test.each([
    ["of another file", [writeStep("Записать report.txt")], [writing("other.txt: totals")]],
    ["of a file whose name only ends alike", [writeStep("Записать report.txt")], [writing("old-report.txt: totals")]],
    [
      "of another file after a look at this one",
      [step("Read report.txt"), writeStep("Write the totals to report.txt")],
      [looking({ at: "report.txt" }), writing("other.txt: totals")],
    ],
  ])("is no better with a write %s", async (_what, plan, calls) => {
    expect(await evidenceOf("The totals", "plan", plan, calls)).toBe("none written");
  });

  test.each([
    ["the file itself", [writeStep("Записать report.txt")], [writing("docs/report.txt: totals")]],
    [
      "another file that a fix needs",
      [step("Read sum.test.js"), writeStep("Fix the failing test in sum.test.js")],
      [looking({ at: "sum.test.js" }), writing("sum.js: a + b")],
    ],
    ["what no file is named for", [writeStep("Send the mail")], [writing("to: Bob")]],
  ])("and a write of %s proves the step", async (_what, plan, calls) => {
    expect(await evidenceOf("Do what is to be done", "plan", plan, calls)).toBe("proven written");
  });

  test.each([
    ["the call names it", [step("Прочитать report.txt")], [looking({ at: "docs/report.txt" })]],
    ["no file is named", [step("Look around, e.g. in Node.js")], [looking({ at: "." })]],
    ["one of the files is looked at", [step("Compare a.txt with b.txt")], [looking({ at: "b.txt" })]],
    [
      "a later call is about it",
      [step("Work out what report.txt lacks"), step("Read report.txt")],
      [looking({ at: "." }), looking({ at: "report.txt" })],
    ],
  ])("proves the step if %s", async (_what, plan, calls) => {
    expect(await evidenceOf("Look", "plan", plan, calls)).toBe("proven observed");
  });
});

describe("an order in words that nobody recognises", () => {
  const looking = { action: "continue", tool_call: { name: "look", arguments: { at: "." } } };
  const done = { action: "done", goal_check: "written", delivery: "I wrote it." };
  const deliver = async (goal: string, needs: string | null) => {
    const plan = { action: "plan_done", plan_steps: [{ content: goal, needs: needs ?? "observation" }] };
    const script = [...(needs ? [plan] : []), ...(needs === "none" ? [plan, plan] : []), looking, done];
    const rt = createTestRuntime(script as never, [look, createWriteTool([])]);
    const mode = needs ? "plan" : "direct";
    const thread = await createTestThread(rt, { goal, mode, plan_approval: "auto" });
    for (;;) {
      const { outcome } = unwrap(await thread.turn());
      if (outcome.kind === "delivered") return outcome;
    }
  };

  test.each([
    ["in Russian", "Составить отчёт о продажах"],
    ["in Portuguese", "Escreva um relatório"],
    ["in Italian", "Scrivi un rapporto"],
    ["in Korean", "보고서를 작성해 주세요"],
    ["in Arabic", "اكتب تقريرا"],
    ["in Polish", "Napisz raport"],
    ["in Turkish", "Raporu yaz"],
    ["in Hindi", "रिपोर्ट लिखो"],
    ["in Vietnamese", "Viết báo cáo"],
    ["in Greek", "Γράψε μια αναφορά"],
    ["in English, by a rare verb", "Pen a memo"],
    ["in English, without a verb", "A memo on my desk"],
    ["in English, by a verb that may mean text for the user", "Compose a memo"],
    ["after a look", "Find the memo and bump it"],
    ["as a polite question", "Can you get Ada onto the guest list?"],
    ["as a polite question in Italian", "Puoi aggiornare la configurazione?"],
    ["as a polite question in Korean", "메일을 보내줄 수 있어?"],
    ["in Chinese, by what is disposed of", "把会议弄掉"],
  ])("%s is not proven by a look", async (_what, goal) => {
    for (const needs of ["observation", null]) {
      const { thread, turn } = await deliver(goal, needs);
      expect(thread).toMatchObject({ evidence: "none", evidence_kind: "observed" });
      expect(turn?.speak).toBe("I wrote it.\n\nNote: receipts show what was looked up; none shows a change.");
    }
  });

  test.each([
    "Could you write a memo?",
    "Kannst du den Bericht schreiben?",
    "Pourriez-vous créer un événement ?",
    "¿Puedes crear un evento?",
    "能不能帮我删除会议",
  ])("as a polite question is an order: %s", async (goal) => {
    expect(await deliver(goal, null)).toMatchObject({
      thread: { evidence: "none", evidence_kind: "observed" },
      turn: { speak: expect.stringContaining("none shows a change") },
    });
  });

  test.each([
    "Что у меня в пятницу?",
    "What is on Friday",
    "列出所有任务",
    "Zeig mir den Freitag",
    "금요일에 뭐가 있어?",
  ])("is not seen in a question: %s", async (goal) => {
    expect(await deliver(goal, "observation")).toMatchObject({
      thread: { evidence: "proven", evidence_kind: "observed" },
      turn: { speak: "I wrote it." },
    });
  });
});

describe("the receipt of a command", () => {
  const command = (access: "read" | "write" | "unknown" | "nothing") => ({
    name: "bash",
    manifest_version: "1",
    effect: "unkeyed" as const,
    arguments: {},
    arguments_blob: null,
    arguments_digest: "",
    proposed_digest: null,
    thought: "",
    access,
  });
  const nobody = { gate_id: null, actor: null };
  const ada = { gate_id: idOf("gat", 1) as never, actor: "ada" };

  test("is an observation if the command only reads, and a write if it changes something", () => {
    expect(sourceOf(command("read"), ada)).toBe("tool_observation");
    expect(sourceOf(command("write"), nobody)).toBe("write_receipt");
  });

  test("of an unknown command is a write only if a person approved it", () => {
    expect(sourceOf(command("unknown"), nobody)).toBe("tool_observation");
    expect(sourceOf(command("unknown"), { gate_id: null, actor: "policy" })).toBe("tool_observation");
    expect(sourceOf(command("unknown"), ada)).toBe("write_receipt");
  });

  test("of an unknown command is an observation in a step that needs one, even if a person was asked", () => {
    expect(sourceOf(command("unknown"), ada, "observation")).toBe("tool_observation");
    expect(sourceOf(command("unknown"), ada, "write")).toBe("write_receipt");
    expect(sourceOf(command("write"), ada, "observation")).toBe("write_receipt");
  });

  test("of a command that reads nothing proves nothing", () => {
    expect(sourceOf(command("nothing"), ada)).toBe("tool_observation");
    const receipt = aReceipt({ name: "bash", source: "tool_observation", access: "nothing" });
    expect(withReceipt(aState(), receipt, null).proofs).toEqual([]);
  });

  test("also proves an observation: its output was seen", () => {
    const receipt = aReceipt({ name: "bash", source: "write_receipt", access: "unknown" });
    expect(withReceipt(aState(), receipt, null).proofs.map(({ kind }) => kind)).toEqual(["write", "observation"]);
    const plain = aReceipt({ name: "move", source: "write_receipt" });
    expect(withReceipt(aState(), plain, null).proofs.map(({ kind }) => kind)).toEqual(["write"]);
  });
});
