import { expect, test } from "vitest";
import { createCrew } from "../../../src/jobs/crew/create-crew.ts";
import { EffectId, LOCAL_TENANT, type ThreadId } from "../../../src/schema/ids.ts";
import { createCrewRuntime, DONE, stateOf } from "../../support/crew.ts";
import { createTestThread, problemCode, unwrap } from "../../support/runtime.ts";

async function createParent() {
  const rt = createCrewRuntime(() => DONE);
  const crew = createCrew(rt);
  const { at } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const callOf = (thread: ThreadId) => ({
    tenant: LOCAL_TENANT,
    thread,
    effect_id: EffectId.parse(rt.ids.make("eff")),
  });
  return { rt, crew, thread: at.thread, callOf };
}

test("a sub-agent hands on no more than it has itself", async () => {
  const { rt, crew, thread, callOf } = await createParent();
  const limited = { task: "Look", readonly: true, budget: { turns: 20 } };
  const [child] = unwrap(await crew.delegate(callOf(thread), [limited])).children;
  if (!child) throw new Error("no child");
  expect((await stateOf(rt, child.thread)).child).toMatchObject({ depth: 1, shell: false, readonly: true });
  const wanted = { task: "Run", shell: true, readonly: false, budget: { turns: 2 } };
  const [grandchild] = unwrap(await crew.delegate(callOf(child.thread), [wanted])).children;
  if (!grandchild) throw new Error("no grandchild");
  expect((await stateOf(rt, grandchild.thread)).child).toMatchObject({ depth: 2, shell: false, readonly: true });
});

test("a thread sends messages to its own sub-agents only", async () => {
  const { rt, crew, thread, callOf } = await createParent();
  const other = await createTestThread(rt, { goal: "Other", mode: "direct" });
  expect(problemCode(await crew.broadcast(callOf(thread), "Stop.", [other.at.thread]))).toBe("tool_refused");
});
