import { expect, test } from "vitest";
import { sendMessage } from "../../../src/jobs/inbox/double-texting.ts";
import type { Claims } from "../../../src/ports/claims.ts";
import { ok } from "../../../src/schema/problem.ts";
import { callTool } from "../../support/decisions.ts";
import { turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

test("an interrupting message does not wait for the claim on a thread; any other message does", async () => {
  const elsewhere: Claims = {
    claim: async (_at, _owner, ttl_ms) => ok({ mine: false, until: Date.parse("2026-03-02T08:00:00.000Z") + ttl_ms }),
    release: async () => ok(undefined),
  };
  const rt = createTestRuntime([callTool("look", { at: "desk" })], [look], { claims: elsewhere });
  const { at } = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
  const message = { type: "message" as const, text: "Rather the desk" };
  const call = turnRequestOn(rt, at, { input: message });
  expect(problemCode(await sendMessage(rt, call, message, "reject"))).toBe("turn_running");
  expect(unwrap(await sendMessage(rt, call, message, "interrupt"))).toMatchObject({ kind: "advanced" });
});
