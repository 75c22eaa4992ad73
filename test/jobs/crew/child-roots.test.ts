import { expect, test } from "vitest";
import { childRoots } from "../../../src/jobs/crew/child-roots.ts";
import type { ChildState } from "../../../src/schema/workflow/child.ts";
import { problemCode } from "../../support/runtime.ts";

test("a sub-agent can pass on only folders inside its own", () => {
  const limits = { roots: ["src"] } as unknown as ChildState;
  expect(childRoots(["./src/a/"], limits)).toMatchObject({ ok: true, value: ["src/a"] });
  expect(problemCode(childRoots(["secret"], limits))).toBe("path_outside_workspace");
});
