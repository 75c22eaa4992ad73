import { expect, test } from "vitest";
import type { ConfirmationGate } from "../../../src/schema/gate.ts";
import type { TurnContext } from "../../../src/turn/context.ts";
import { rememberedApproval } from "../../../src/turn/gates/remember.ts";
import type { PreparedCall } from "../../../src/turn/judge/ruling.ts";
import { createTestRuntime, problemCode } from "../../support/runtime.ts";

test("commands with the same beginning are not remembered once untrusted text came in, although the gate offered it", () => {
  const rt = createTestRuntime([]);
  const gate = {
    remember: { words: ["npm", "test"] },
    call: { name: "bash" },
    reasons: [],
  } as unknown as ConfirmationGate;
  const call = { asks: [], command: { words: ["npm", "test"], folder: "." } } as unknown as PreparedCall;
  const remember = (taint: string | null) => {
    const ctx = { rt, request: { actor: "ada" }, thread: { state: { run: 1, taint } } } as unknown as TurnContext;
    return problemCode(rememberedApproval(ctx, gate, call, { remember: "run", prefix: ["npm"] }));
  };
  expect(remember(null)).toBe("ok");
  expect(remember("rcp_1")).toBe("request_invalid");
});
