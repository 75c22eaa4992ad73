import { expect, test } from "vitest";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createClient } from "../../src/client/client.ts";
import { createFetch, createRuntime } from "../../src/hosts/in-process.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { unwrap } from "../support/runtime.ts";
import { createWriteTool } from "../support/tools.ts";

test.each([3_500, 60_000])(
  "a person sees all of %i characters of arguments, hidden ones written out",
  async (length) => {
    const line = `${"a".repeat(length / 2)}\u202e\u200b${"b".repeat(length / 2)}`;
    const call = { action: "confirm", speak: "Write\u200b it?", tool_call: { name: "write", arguments: { line } } };
    const rt = createRuntime({ model: createScriptedModel([call]), tools: [createWriteTool([])] });
    const client = createClient("http://embedded", null, createFetch(rt));
    const { thread } = unwrap(await client.create({ goal: "Write", mode: "direct" }));
    const asked = unwrap(await client.advance(thread.id));
    const page = unwrap(await client.call<{ gates: { gate: Gate }[] }>("GET", "/v1/gates?arguments=whole"));
    const listed = page.gates[0]?.gate;
    for (const gate of [asked.thread.gate, unwrap(await client.get(thread.id)).thread.gate, listed]) {
      if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
      expect(gate.shown).toBe(`{\n  "line": "${"a".repeat(length / 2)}\\u{202e}\\u{200b}${"b".repeat(length / 2)}"\n}`);
      expect(gate.call.arguments).toEqual({ line });
      expect(gate.text).toBe("Write\\u{200b} it?");
    }
  },
);
