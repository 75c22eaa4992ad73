import { describe, expect, test } from "vitest";
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
    const direct = { machine: { mode: "direct" }, plan: null, proofs: [looked] };
    expect(runEvidence(aState(direct))).toEqual({ evidence: "proven", evidence_kind: "observed" });
    const failed = { ...direct, failed_writes: [0] };
    expect(runEvidence(aState(failed))).toEqual({ evidence: "none", evidence_kind: "observed" });
    const repaired = { ...failed, proofs: [looked, { ...looked, kind: "write" as const }] };
    expect(runEvidence(aState(repaired))).toEqual({ evidence: "proven", evidence_kind: "written" });
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

describe("the receipt of a command", () => {
  const command = (access: "read" | "write" | "unknown") => ({
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

  test("also proves an observation: its output was seen", () => {
    const receipt = aReceipt({ name: "bash", source: "write_receipt", access: "unknown" });
    expect(withReceipt(aState(), receipt, null).proofs.map(({ kind }) => kind)).toEqual(["write", "observation"]);
    const plain = aReceipt({ name: "move", source: "write_receipt" });
    expect(withReceipt(aState(), plain, null).proofs.map(({ kind }) => kind)).toEqual(["write"]);
  });
});
