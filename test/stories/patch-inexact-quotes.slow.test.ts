// Nine files are each quoted inexactly. Every patch applies in the right place, and a repeated patch reports that it is
// already applied.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, type Story, startStory } from "../support/story.ts";

const BLOCK = [
  "export function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) sum += item.price;",
  "  log('total computed');",
  "  return sum;",
  "}",
];
const FILE = `const rate = 3;\n\n${BLOCK.join("\n")}\n\nexport const done = true;\n`;
const put = (line: number, text: string): readonly string[] => BLOCK.with(line, text);

type PatchQuote = {
  readonly quoted: string;
  readonly replacement: string;
  readonly after: string;
  readonly guessed?: true;
};

/** The quoted text, its replacement, and the expected content of the file, by file. */
const CASES: Readonly<Record<string, PatchQuote>> = {
  exactly: { quoted: "let sum = 0;", replacement: "let sum = 1;", after: "  let sum = 1;\n" },
  blanks_at_the_ends_of_lines: {
    quoted: "let sum = 0;  \n      for (const item of items) sum += item.price;",
    replacement: "let sum = 2;  \n      for (const item of items) sum += item.price;",
    after: "  let sum = 2;\n  for (const item of items) sum += item.price;\n",
  },
  blanks_inside_lines: {
    quoted: "sum  +=  item.price;\nlog('total  computed');",
    replacement: "sum  +=  item.price;\nlog('total  done');",
    after: "  log('total done');\n",
  },
  other_indentation: {
    quoted: "        return sum;\n        }",
    replacement: "        return sum + 1;\n        }",
    after: "  return sum + 1;\n}\n",
  },
  written_out_line_breaks: {
    quoted: "  let sum = 0;\\n  for (const item of items)",
    replacement: "  let sum = 3;\\n  for (const item of items)",
    after: "  let sum = 3;\n  for (const item of items)",
  },
  blank_edges: {
    quoted: "\n\n   return sum;\n}  \n",
    replacement: "\n\n   return sum * 2;\n}  \n",
    after: "  return sum * 2;\n}\n",
  },
  typographic_quotes: {
    quoted: "log(‘total computed’);",
    replacement: "log(‘total ready’);",
    after: "  log('total ready');\n",
  },
  a_misremembered_line_in_the_middle: {
    quoted: put(2, "  for (var item of items) sum += item.pirce").join("\n"),
    replacement: put(2, "  for (var item of items) sum += item.pirce").with(1, "  let sum = 4;").join("\n"),
    after: "  let sum = 4;\n  for (const item of items) sum += item.price;\n",
    guessed: true,
  },
  a_misremembered_first_line: {
    quoted: ["export functoin total(items) {", ...BLOCK.slice(1, 5)].join("\n"),
    replacement: ["export functoin total(items) {", "  let sum = 5;", ...BLOCK.slice(2, 5)].join("\n"),
    after: "export function total(items) {\n  let sum = 5;\n",
    guessed: true,
  },
};
const patchOf = (name: string) => {
  const quote = CASES[name];
  return callTool(
    "patch",
    { path: `${name}.ts`, old_string: quote?.quoted, new_string: quote?.replacement },
    "confirm",
  );
};

let story: Story;
let work: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-story-"));
  work = join(folder, "work");
  mkdirSync(work);
  for (const name of Object.keys(CASES)) writeFileSync(join(work, `${name}.ts`), FILE);
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ workspace: "work" }));
  const names = Object.keys(CASES);
  story = await startStory({ folder, script: [...names.map(patchOf), ...names.map(patchOf)] });
});
afterAll(() => story.end());

test("nine inexact quotes all match, and the rest of the file is unchanged", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Change nine files", mode: "direct" }));
  for (const [name, { after }] of Object.entries(CASES)) {
    const gated = unwrap(await client.advance(thread.id));
    expect(gated.thread.gate, name).toMatchObject({ kind: "confirmation", call: { name: "patch" } });
    expect(readFileSync(join(work, `${name}.ts`), "utf8")).toBe(FILE);
    const patched = unwrap(await client.advance(thread.id, approval(gated.thread.gate)));
    expect(patched.turn?.observation?.text, name).toContain(`${name}.ts: 1 place changed`);
    expect(patched.turn?.receipts.at(-1), name).toMatchObject({ success: true });
    const now = readFileSync(join(work, `${name}.ts`), "utf8");
    expect(now, name).toContain(after);
    expect(now.startsWith("const rate = 3;\n\nexport function total(items) {\n"), name).toBe(true);
    expect(now.endsWith("}\n\nexport const done = true;\n"), name).toBe(true);
  }
  for (const [name, { guessed }] of Object.entries(CASES)) {
    const before = readFileSync(join(work, `${name}.ts`), "utf8");
    // The patch cannot succeed, so no approval is requested.
    const repeated = unwrap(await client.advance(thread.id));
    expect(repeated.thread.gate, name).toBeNull();
    expect(repeated.turn?.receipts.at(-1), name).toMatchObject({ success: false });
    // An approximate match is not repeated once the text has changed.
    expect(repeated.turn?.observation?.text, name).toContain(guessed ? "is not in the file" : "already has new_string");
    expect(readFileSync(join(work, `${name}.ts`), "utf8")).toBe(before);
  }
  story.model.assertSpent();
});
