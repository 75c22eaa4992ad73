// Tests the hash of a prompt. It is stored with every prompt and compared after an upgrade, so neither of its forms may
// change.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { buildPrompt, type Prompt } from "../../../src/prompt/build-prompt.ts";
import { type Row, rowText } from "../../../src/prompt/window.ts";
import { isSamePrompt, promptHash, textsHash } from "../../../src/turn/think/prompt-hash.ts";
import { SAMPLE_TOOLS } from "../../prompt/sample-tools.ts";
import { aCallEntry, aThread } from "../../support/thread.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const built = buildPrompt(
  aThread({
    entries: Array.from({ length: 12 }, (_, i) => aCallEntry({ turn: i + 1, text: `Größe ${i} €, 漢字, 🙂\n` })),
  }),
  SAMPLE_TOOLS,
  { window: 32_768, max_output_tokens: 1024, factor: 1 },
  { purpose: "execute", now: "Monday 2026-05-04 10:00 UTC" },
);
if (!built.ok) throw new Error(built.problem.message);
const prompt = built.value;
const headed = prompt.messages.map(({ role, content }) => [`${role} ${content.length}`, content]);
const changed = (row: Row, text: string): Row =>
  row.form === "whole" ? { ...row, before: "", body: text, after: "", hashed: null } : { ...row, text };
const hashOf = (one: Pick<Prompt, "messages" | "record">): string => promptHash(nodeHash, "f00d", one);

test("a prompt is hashed as one text, in which the hash of a whole observation stands for it", () => {
  const rows = prompt.record.rows.map((row) => {
    const text = rowText(row);
    return row.form === "whole" ? `whole ${text.length} ${sha256(text)}` : text;
  });
  expect(new Set(prompt.record.rows.map(({ form }) => form))).toEqual(new Set(["whole", "line"]));
  const [, dialogue = [], window = [], state = []] = headed;
  const text = ["f00d", ...dialogue, window[0], prompt.record.header, ...rows, ...state].join("\n");
  expect(hashOf(prompt)).toBe(`rows-${sha256(text).slice(0, 32)}`);
  // The hash must cover exactly what is sent.
  const sent = [prompt.record.header, ...prompt.record.rows.map(rowText)].join("\n");
  expect(prompt.messages[2].content).toBe(sent);
});

test("a changed character anywhere in a prompt changes its hash", () => {
  const known = new Set([hashOf(prompt), promptHash(nodeHash, "f00e", prompt)]);
  let changes = 2;
  const add = (one: Pick<Prompt, "messages" | "record">): void => {
    known.add(hashOf(one));
    changes += 1;
  };
  const changesOf = (text: string): string[] =>
    Array.from(text, (_, i) => `${text.slice(0, i)}\u0001${text.slice(i + 1)}`);
  const [system, dialogue, window, state] = prompt.messages;
  for (const content of changesOf(dialogue.content))
    add({ ...prompt, messages: [system, { ...dialogue, content }, window, state] });
  for (const content of changesOf(state.content))
    add({ ...prompt, messages: [system, dialogue, window, { ...state, content }] });
  const { header, rows } = prompt.record;
  for (const text of changesOf(header)) add({ ...prompt, record: { header: text, rows } });
  for (const [i, row] of rows.entries())
    for (const text of changesOf(rowText(row)))
      add({ ...prompt, record: { header, rows: rows.with(i, changed(row, text)) } });
  expect(changes).toBeGreaterThan(2000);
  expect(known.size).toBe(changes);
});

test("a prompt with a hash of the earlier form, over all texts, is compared by that form", () => {
  const whole = sha256(["f00d", ...headed.slice(1).flat()].join("\n")).slice(0, 32);
  expect(textsHash(nodeHash, "f00d", prompt)).toBe(whole);
  expect(isSamePrompt(nodeHash, whole, "f00d", prompt)).toBe(true);
  expect(isSamePrompt(nodeHash, whole, "f00e", prompt)).toBe(false);
  expect(isSamePrompt(nodeHash, hashOf(prompt), "f00d", prompt)).toBe(true);
  expect(isSamePrompt(nodeHash, hashOf(prompt), "f00e", prompt)).toBe(false);
});
