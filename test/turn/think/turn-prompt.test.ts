// The hash of the messages is stored with every prompt and compared after an upgrade, so it must never change.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { ModelMessage } from "../../../src/ports/model.ts";
import { messagesHash } from "../../../src/turn/think/turn-prompt.ts";

const messages: ModelMessage[] = [
  { role: "system", content: "Only its hash counts." },
  { role: "user", content: "Größe: 3 €, 漢字, 🙂, and half a pair: \ud83d" },
  { role: "assistant", content: "" },
  { role: "user", content: "\ude42 The end." },
];

test("the messages hash is that of all messages in one text, each after its role and length", () => {
  const text = ["f00d", ...messages.slice(1).map((one) => `${one.role} ${one.content.length}\n${one.content}`)];
  const whole = createHash("sha256").update(text.join("\n")).digest("hex");
  expect(messagesHash({ hash: nodeHash }, "f00d", messages)).toBe(whole.slice(0, 32));
});
