import { describe, expect, test } from "vitest";
import { byteLength } from "../../../src/schema/byte-length.ts";
import { STATE_BYTES_MAX } from "../../../src/schema/thread.ts";
import { showPrompt } from "../../../src/threads/show-prompt.ts";
import { turnOfStep } from "../../../src/threads/workflows.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { nodeReader, readSteps } from "../../../src/turn/workflow/nodes-of-thread.ts";
import { createTestRuntime, problemCode, type TestThread, unwrap } from "../../support/runtime.ts";
import {
  ASKED,
  BAD,
  createWorkflowThread,
  deliverable,
  exampleWorkflow,
  GOOD,
  PAIR,
  PUBLISHED,
  visits,
  WRITTEN,
} from "../../support/workflow.ts";

type TestRuntime = ReturnType<typeof createTestRuntime>;

async function turns(thread: TestThread, count: number) {
  let last = unwrap(await thread.turn());
  for (let i = 1; i < count; i++) last = unwrap(await thread.turn());
  return last.outcome.thread;
}

async function runToPause(thread: TestThread, max = 40) {
  for (let i = 0; i < max; i++) {
    const { outcome } = unwrap(await thread.turn());
    if (outcome.next !== "advance") return outcome.thread;
  }
  throw new Error("the workflow did not pause");
}

const stateOf = async (rt: TestRuntime, { at }: TestThread) => unwrap(await loadThread(rt, at)).state;

async function stepsOf(rt: TestRuntime, thread: TestThread) {
  const { workflow } = await stateOf(rt, thread);
  if (!workflow) throw new Error("no workflow");
  const steps = unwrap(await readSteps(nodeReader(rt, thread.at), workflow, () => false));
  return steps.toReversed();
}

describe("a workflow", () => {
  test("begins with the role of the edge new, and has not called a model yet", async () => {
    const rt = createTestRuntime([]);
    const thread = await createWorkflowThread(rt, PAIR);
    const { workflow, machine, goal } = await stateOf(rt, thread);
    expect(workflow).toMatchObject({ name: "pair", role: "writer", count: 0, steps: [] });
    expect(machine).toMatchObject({ state: "execute", at: "deciding", mode: "direct" });
    expect(goal).toBe("A sentence about rain.");
    expect(rt.model.calls).toBe(0);
  });

  test("runs role after role, with a loop, to its end", async () => {
    const rt = createTestRuntime(visits(WRITTEN, BAD, WRITTEN, GOOD, PUBLISHED));
    const thread = await createWorkflowThread(rt, PAIR);
    const end = await runToPause(thread);
    expect(end).toMatchObject({
      state: "rest",
      outcome: "completed",
      workflow: { status: "end", done: true, count: 5 },
    });
    const steps = await stepsOf(rt, thread);
    expect(steps.map(({ n, role, status }) => `${n} ${role} ${status}`)).toEqual([
      "1 writer written",
      "2 reviewer bad",
      "3 writer written",
      "4 reviewer good",
      "5 publisher published",
    ]);
    expect(steps[0]).toMatchObject({ fields: { $status: "written", title: "One" }, body: "A sentence.", prev: null });
    expect(steps[1]?.prev).toBe(steps[0]?.hash);
    rt.model.assertSpent();
  });

  test("the prompt of each role has its task, what happened, and the moderator's instruction", async () => {
    const rt = createTestRuntime(visits(WRITTEN, BAD, WRITTEN));
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 6);
    const system = (i: number) => rt.model.requests[i]?.messages[0]?.content ?? "";
    expect(system(0)).toContain("You are the role writer. Earlier visits of this role: 0.");
    expect(system(0)).toContain("## Task\nA sentence about rain.");
    expect(system(0)).toContain("## Instruction\nWrite.");
    expect(system(2)).toContain("## Instruction\nReview One: A sentence.");
    expect(system(2)).toContain('### Step 1: writer\n{"$status":"written","title":"One"}');
    // The second visit of the writer lists what happened since its first one, without the texts.
    expect(system(4)).toContain("Earlier visits of this role: 1.");
    expect(system(4)).toContain('- Step 2, reviewer: {"$status":"bad","why":"too short"}');
    expect(system(4)).toContain("## Instruction\nImprove it: too short");
  });

  test("a role sees neither the dialogue nor the calls of the others", async () => {
    const rt = createTestRuntime(visits(WRITTEN, GOOD));
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 3);
    const dialogue = rt.model.requests[2]?.messages[1]?.content ?? "";
    expect(dialogue).not.toContain("A sentence.");
    expect((await stateOf(rt, thread)).run).toBe(2);
  });

  test("the prompt of any past turn can be shown as it was", async () => {
    const rt = createTestRuntime(visits(WRITTEN, BAD, WRITTEN));
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 6);
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      const shown = unwrap(await showPrompt(rt, thread.at, turn));
      expect(shown.messages).toEqual(rt.model.requests[turn - 1]?.messages);
    }
  });

  test("a role that suspends opens a gate, and further turns change nothing", async () => {
    const rt = createTestRuntime(visits(ASKED));
    const thread = await createWorkflowThread(rt, PAIR);
    const waiting = await turns(thread, 2);
    expect(waiting).toMatchObject({
      state: "execute",
      at: "suspended",
      gate: { kind: "suspend", role: "writer", text: "For which audience?", failed: false },
      workflow: { status: "suspended", suspended_role: "writer", suspend_message: "For which audience?", count: 1 },
    });
    expect(problemCode(await thread.turn())).toBe("gate_open");
    expect(problemCode(await thread.turn({ type: "message", text: "hello" }))).toBe("gate_open");
    expect((await stepsOf(rt, thread)).map(({ status }) => status)).toEqual(["$SUSPEND"]);
  });

  test("a resumed role gets the reason and the answer, and its step follows the suspension", async () => {
    const rt = createTestRuntime(visits(ASKED, WRITTEN));
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 2);
    const resumed = unwrap(await thread.turn({ type: "resume", supplement: "For children." }));
    expect(resumed.outcome).toMatchObject({ kind: "advanced", next: "advance" });
    expect(rt.model.calls).toBe(2);
    await turns(thread, 2);
    expect(rt.model.requests[2]?.messages[0]?.content).toContain(
      "## Instruction\nFor which audience?\n\nFor children.",
    );
    expect((await stepsOf(rt, thread)).map(({ role, status }) => [role, status])).toEqual([
      ["writer", "$SUSPEND"],
      ["writer", "written"],
    ]);
  });

  test("an ended workflow is resumed at the edge resume; its steps stay, and a message does the same", async () => {
    const rt = createTestRuntime(visits(WRITTEN, GOOD, PUBLISHED, GOOD, PUBLISHED, GOOD));
    const thread = await createWorkflowThread(rt, PAIR);
    await runToPause(thread);
    unwrap(await thread.turn({ type: "resume", supplement: "With more care." }));
    expect((await stateOf(rt, thread)).workflow).toMatchObject({ role: "reviewer", count: 3 });
    await turns(thread, 1);
    expect(rt.model.requests[6]?.messages[0]?.content).toContain("Review it once more.\n\nWith more care.");
    await runToPause(thread);
    expect((await stateOf(rt, thread)).workflow).toMatchObject({ role: null, count: 5 });
    unwrap(await thread.turn({ type: "message", text: "Again." }));
    expect((await stateOf(rt, thread)).workflow).toMatchObject({ role: "reviewer" });
  });

  test("a poke repeats the newest step with another instruction and takes its place", async () => {
    const better = deliverable({ $status: "written", title: "Two" }, "A better sentence.");
    const rt = createTestRuntime(visits(WRITTEN, better));
    const thread = await createWorkflowThread(rt, PAIR);
    expect(problemCode(await thread.turn({ type: "poke", text: "x" }))).toBe("not_pokable");
    await turns(thread, 2);
    const [old] = await stepsOf(rt, thread);
    unwrap(await thread.turn({ type: "poke", text: "Mention the wind." }));
    // The head stays until the new step exists.
    expect((await stepsOf(rt, thread))[0]?.hash).toBe(old?.hash);
    await turns(thread, 2);
    expect(rt.model.requests[2]?.messages[0]?.content).toContain("## Instruction\nMention the wind.");
    const steps = await stepsOf(rt, thread);
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({ n: 1, body: "A better sentence.", prev: null });
    expect((await stateOf(rt, thread)).workflow).toMatchObject({ role: "reviewer", count: 1 });
    // The replaced step can still be read by its hash.
    expect((await nodeReader(rt, thread.at)(old?.hash ?? "")).ok).toBe(true);
  });

  test("a poke is refused while a role works, and after the end", async () => {
    const rt = createTestRuntime(visits(WRITTEN, GOOD, PUBLISHED));
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 3);
    expect(problemCode(await thread.turn({ type: "poke", text: "x" }))).toBe("not_pokable");
    await runToPause(thread);
    expect(problemCode(await thread.turn({ type: "poke", text: "x" }))).toBe("not_pokable");
  });

  test.each(["resume", "poke"] as const)("%s is refused on a thread without a workflow", async (type) => {
    const rt = createTestRuntime([]);
    const { createTestThread } = await import("../../support/runtime.ts");
    const thread = await createTestThread(rt, {});
    const input = type === "resume" ? ({ type, supplement: "" } as const) : ({ type, text: "x" } as const);
    expect(problemCode(await thread.turn(input))).toBe(type === "resume" ? "not_resumable" : "not_pokable");
  });

  test("a resume is refused while a role works, and after a cancellation", async () => {
    const rt = createTestRuntime([]);
    const thread = await createWorkflowThread(rt, PAIR);
    expect(problemCode(await thread.turn({ type: "resume", supplement: "" }))).toBe("not_resumable");
    const cancelled = unwrap(await thread.turn({ type: "cancel" }));
    expect(cancelled.outcome.thread.workflow?.status).toBe("cancelled");
    expect(problemCode(await thread.turn({ type: "resume", supplement: "" }))).toBe("not_resumable");
    expect(problemCode(await thread.turn({ type: "message", text: "go" }))).toBe("not_resumable");
  });

  test("a suspended workflow can be cancelled", async () => {
    const rt = createTestRuntime(visits(ASKED));
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 2);
    const cancelled = unwrap(await thread.turn({ type: "cancel" }));
    expect(cancelled.outcome.thread).toMatchObject({ gate: null, workflow: { status: "cancelled" } });
  });

  test("a role that gives up suspends the workflow instead of ending it", async () => {
    const rt = createTestRuntime([{ action: "abort", abort: { reason: "no data", user_message: "I have no data." } }]);
    const thread = await createWorkflowThread(rt, PAIR);
    const waiting = await turns(thread, 1);
    expect(waiting).toMatchObject({ gate: { kind: "suspend", failed: true, text: "I have no data." } });
    expect(waiting.workflow).toMatchObject({ status: "suspended", count: 0 });
  });
});

describe("a deliverable in the wrong format", () => {
  const done = { action: "done", goal_check: "ok" };

  test("is corrected twice, in the same turn, and the usage is added up", async () => {
    const rt = createTestRuntime([done, "No frontmatter.", "---\n$status: written\n---\n", WRITTEN]);
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 1);
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.thread.workflow).toMatchObject({ status: "idle", current_role: "reviewer", count: 1 });
    expect(outcome.turn?.corrections).toHaveLength(2);
    expect(outcome.turn?.usage?.model_calls).toBe(3);
    expect(rt.model.requests[2]?.messages[3]?.content).toContain("only the format is wrong");
    expect(rt.model.requests[3]?.messages[3]?.content).toContain("title");
  });

  test("is stored as a failed attempt after the third time; the head stays, and the workflow is suspended", async () => {
    const long = `Prose ${"x".repeat(900)}`;
    const rt = createTestRuntime([...visits(WRITTEN), done, long, long, long, ...visits(GOOD)]);
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 2);
    const [step] = await stepsOf(rt, thread);
    const failed = await turns(thread, 2);
    expect(failed.workflow).toMatchObject({ status: "suspended", count: 1, head: step?.hash });
    expect(failed.gate).toMatchObject({ kind: "suspend", role: "reviewer", failed: true });
    const { workflow } = await stateOf(rt, thread);
    const attempt = workflow?.attempts[0]?.step_blob ?? "";
    const read = nodeReader(rt, thread.at);
    const node = unwrap(await read(attempt)) as { output: string; text: string };
    expect(unwrap(await read(node.output))).toMatchObject({ $status: "error", phase: "frontmatter" });
    expect(String(unwrap(await read(node.text))).length).toBeLessThanOrEqual(500);
    // The next step of the role lists its failed attempts, and afterwards the list is empty again.
    unwrap(await thread.turn({ type: "resume", supplement: "Mind the format." }));
    await turns(thread, 2);
    const steps = await stepsOf(rt, thread);
    expect(steps.map(({ role }) => role)).toEqual(["writer", "reviewer"]);
    expect(steps[1]?.attempts).toEqual([attempt]);
    expect((await stateOf(rt, thread)).workflow?.attempts).toEqual([]);
  });

  test("a model that does not answer stores nothing, and the turn can be repeated", async () => {
    const rt = createTestRuntime([done, { fail: "model_unavailable" }, WRITTEN]);
    const thread = await createWorkflowThread(rt, PAIR);
    await turns(thread, 1);
    expect(problemCode(await thread.turn())).toBe("model_unavailable");
    expect((await turns(thread, 1)).workflow).toMatchObject({ count: 1 });
  });
});

describe("creating a workflow thread", () => {
  const rt = () => createTestRuntime([]);
  test.each([
    [{ workflow: "nothing", prompt: "x" }, "workflow_not_found"],
    [{ workflow: "f".repeat(64), prompt: "x" }, "workflow_not_found"],
    [{ workflow: "pair" }, "request_invalid"],
    [{ workflow: "pair", prompt: "  " }, "request_invalid"],
    [{ prompt: "x" }, "request_invalid"],
    [{ workflow: "pair", prompt: "x", goal: "y" }, "request_invalid"],
    [{ workflow: "pair", prompt: "x", mode: "plan" as const }, "request_invalid"],
    [{ workflow: "pair", prompt: "x".repeat(20_000) }, "input_too_large"],
    [{ workflow: "pair", prompt: "x", agent: "nobody" }, "request_invalid"],
  ])("%j is refused", async (input, code) => {
    const { createThread } = await import("../../../src/threads/create.ts");
    const { LOCAL_TENANT } = await import("../../../src/schema/ids.ts");
    expect(problemCode(await createThread(rt(), { tenant: LOCAL_TENANT, actor: "t", input, key: null }))).toBe(code);
  });

  test("a thread keeps the version it started with, and older versions are found by hash", async () => {
    const runtime = createTestRuntime(visits(WRITTEN));
    const thread = await createWorkflowThread(runtime, PAIR);
    const hash = (await stateOf(runtime, thread)).workflow?.workflow_blob ?? "";
    const changed = { ...PAIR, description: "Another version." };
    const second = await createWorkflowThread(runtime, changed);
    expect((await stateOf(runtime, second)).workflow?.workflow_blob).not.toBe(hash);
    expect((await turns(thread, 2)).workflow).toMatchObject({ workflow: hash, current_role: "reviewer" });
    const { createTestThread } = await import("../../support/runtime.ts");
    const third = await createTestThread(runtime, { workflow: hash, prompt: "x" });
    expect((await stateOf(runtime, third)).workflow?.workflow_blob).toBe(hash);
  });

  test("the agent of a role: chosen at creation, else by the configuration, else the default", async () => {
    const agent = { instructions: "", tools: null };
    const config = {
      ...createTestRuntime([]).config,
      agents: { default: agent, strict: agent, mine: agent },
      agent_overrides: { pair: { reviewer: "strict" } },
    };
    const runtime = createTestRuntime(visits(WRITTEN, WRITTEN), [], { config });
    const thread = await createWorkflowThread(runtime, PAIR);
    expect((await stateOf(runtime, thread)).agent).toBe("default");
    await turns(thread, 2);
    expect((await stateOf(runtime, thread)).agent).toBe("strict");
    const own = await createWorkflowThread(runtime, PAIR, { agent: "mine" });
    await turns(own, 2);
    expect((await stateOf(runtime, own)).agent).toBe("mine");
  });
});

describe("the examples that need no tools", () => {
  const deliverables: Record<string, readonly string[]> = {
    "analyze-topic": [deliverable({ $status: "done", conclusion: "Yes." }, "# Analysis")],
    brainstorm: [
      deliverable({ $status: "more", ideas: "a, b" }),
      deliverable({ $status: "reviewed", groups: ["x", "y"], direction: "z" }),
      deliverable({ $status: "enough", all_ideas: "a, b, c" }),
      deliverable({ $status: "done", proposals: "a" }, "Three proposals"),
    ],
    debate: [
      deliverable({ $status: "argued", argument: "For." }),
      deliverable({ $status: "argued", argument: "Against." }),
      deliverable({ $status: "closing", closing: "For, after all." }),
      deliverable({ $status: "done", verdict: "draw" }),
    ],
    "socratic-questioning": [
      deliverable({ $status: "answered" }, "I believe it."),
      deliverable({ $status: "asked" }, "Why?"),
      deliverable({ $status: "refined", position: "It depends." }, "It depends."),
      deliverable({ $status: "done", summary: "Refined." }),
    ],
    "eval-simple": [deliverable({ $status: "fixed", changes: 2 }, "Corrected.")],
  };
  test.each(Object.keys(deliverables))("%s runs to its end", async (name) => {
    const rt = createTestRuntime(visits(...(deliverables[name] ?? [])));
    const thread = await createWorkflowThread(rt, exampleWorkflow(name));
    expect((await runToPause(thread)).workflow).toMatchObject({ status: "end", count: deliverables[name]?.length });
    rt.model.assertSpent();
  });
});

test("the state stays bounded over 200 steps, and every step can be read", async () => {
  const bad = deliverable({ $status: "bad", why: "w".repeat(2_000) }, "b".repeat(4_000));
  const written = deliverable({ $status: "written", title: "t".repeat(2_000) }, "a".repeat(4_000));
  const rt = createTestRuntime(visits(...Array.from({ length: 100 }, () => [written, bad]).flat()));
  const thread = await createWorkflowThread(rt, PAIR, { budget: { turns: 1_000 } });
  let largest = 0;
  let promptChars = 0;
  for (let i = 0; i < 400; i++) {
    unwrap(await thread.turn());
    largest = Math.max(largest, byteLength(JSON.stringify(await stateOf(rt, thread))));
    promptChars = Math.max(
      promptChars,
      rt.model.requests.at(-1)?.messages.reduce((n, m) => n + m.content.length, 0) ?? 0,
    );
  }
  const { workflow } = await stateOf(rt, thread);
  expect(workflow).toMatchObject({ count: 200, visits: { writer: { times: 100 }, reviewer: { times: 100 } } });
  expect(workflow?.steps).toHaveLength(8);
  expect(largest).toBeLessThan(STATE_BYTES_MAX / 2);
  expect(promptChars).toBeLessThan(60_000);
  const steps = await stepsOf(rt, thread);
  expect(steps.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));

  // A fork finds its step with a few reads, wherever the step is.
  let reads = 0;
  const counted =
    <A extends unknown[], R>(read: (...args: A) => R) =>
    (...args: A): R => {
      reads += 1;
      return read(...args);
    };
  const { load, records, getBlob } = rt.store;
  const store = { ...rt.store, load: counted(load), records: counted(records), getBlob: counted(getBlob) };
  for (const n of [1, 100, 195, 200]) {
    reads = 0;
    expect(unwrap(await turnOfStep({ store }, thread.at, n))).toBe(steps[n - 1]?.details.turn);
    expect(reads).toBeLessThan(16);
  }
  expect(problemCode(await turnOfStep({ store }, thread.at, 201))).toBe("turn_not_found");
});
