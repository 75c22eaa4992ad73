// Provides workflows for tests and a model that plays their roles from a list of deliverables.
import { readFileSync } from "node:fs";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { CreateInput } from "../../src/schema/input.ts";
import { saveWorkflow } from "../../src/threads/workflows.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import type { Workflow } from "../../src/workflow/definition.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { createTestThread, unwrap } from "./runtime.ts";

function readWorkflowFile(path: string): Workflow {
  return unwrap(parseWorkflow(readFileSync(new URL(path, import.meta.url), "utf8"), { stem: null })).workflow;
}

export const exampleWorkflow = (name: string): Workflow => readWorkflowFile(`../../examples/workflows/${name}.yaml`);

/** A workflow of two roles that alternate until the reviewer accepts. The writer may suspend. */
export const PAIR = readWorkflowFile("../fixtures/workflows/pair.yaml");

/** Returns a deliverable as a role writes it. */
export const deliverable = (fields: Record<string, unknown>, body = ""): string =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n")}\n---\n${body}`;

const DONE = { action: "done", goal_check: "The deliverable can be written." };

/** Returns the replies of visits, two for each: the role says that it is done, then it delivers. */
export const visits = (...deliverables: readonly string[]): ScriptEntry[] =>
  deliverables.flatMap((text) => [
    { reply: DONE, expect: { purpose: "execute" as const } },
    { reply: text, expect: { purpose: "deliver" as const } },
  ]);

export const WRITTEN = deliverable({ $status: "written", title: "One" }, "A sentence.");
export const BAD = deliverable({ $status: "bad", why: "too short" }, "It is too short.");
export const GOOD = deliverable({ $status: "good" });
export const PUBLISHED = deliverable({ $status: "published" }, "It is out.");
export const ASKED = deliverable({ $status: "$SUSPEND", reason: "For which audience?" }, "I must know.");

export async function createWorkflowThread(rt: Runtime, workflow: Workflow, input: Partial<CreateInput> = {}) {
  unwrap(await saveWorkflow(rt, LOCAL_TENANT, workflow));
  return createTestThread(rt, { workflow: workflow.name, prompt: "A sentence about rain.", ...input });
}
