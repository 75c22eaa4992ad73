import { expect, test } from "vitest";
import { advance } from "../../src/turn/advance.ts";
import { loadThread } from "../../src/turn/load.ts";
import { turnRequestOn } from "../support/drive-options.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";

test("a turn that names an outdated version stores nothing and does not call the model", async () => {
  const rt = createTestRuntime([{ action: "done", goal_check: "all there" }]);
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  const { version } = unwrap(await loadThread(rt, thread.at));
  expect(problemCode(await advance(rt, turnRequestOn(rt, thread.at, { if_match: version + 1 })))).toBe(
    "version_mismatch",
  );
  expect(rt.model.requests).toEqual([]);
  expect(unwrap(await loadThread(rt, thread.at)).version).toBe(version);
  unwrap(await advance(rt, turnRequestOn(rt, thread.at, { if_match: version })));
  expect(unwrap(await loadThread(rt, thread.at)).version).toBeGreaterThan(version);
});
