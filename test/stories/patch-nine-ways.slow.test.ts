// Nine files, each remembered a little differently: every patch lands where it should, and a second time it says so.
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

type Way = { readonly old: string; readonly fresh: string; readonly after: string; readonly guessed?: true };

/** How the model remembers the place, what it wants there, and what must stand in the file afterwards. */
const WAYS: Readonly<Record<string, Way>> = {
  exactly: { old: "let sum = 0;", fresh: "let sum = 1;", after: "  let sum = 1;\n" },
  blanks_at_the_ends_of_lines: {
    old: "let sum = 0;  \n      for (const item of items) sum += item.price;",
    fresh: "let sum = 2;  \n      for (const item of items) sum += item.price;",
    after: "  let sum = 2;\n  for (const item of items) sum += item.price;\n",
  },
  blanks_inside_lines: {
    old: "sum  +=  item.price;\nlog('total  computed');",
    fresh: "sum  +=  item.price;\nlog('total  done');",
    after: "  log('total done');\n",
  },
  other_indentation: {
    old: "        return sum;\n        }",
    fresh: "        return sum + 1;\n        }",
    after: "  return sum + 1;\n}\n",
  },
  written_out_line_breaks: {
    old: "  let sum = 0;\\n  for (const item of items)",
    fresh: "  let sum = 3;\\n  for (const item of items)",
    after: "  let sum = 3;\n  for (const item of items)",
  },
  blank_edges: {
    old: "\n\n   return sum;\n}  \n",
    fresh: "\n\n   return sum * 2;\n}  \n",
    after: "  return sum * 2;\n}\n",
  },
  typographic_quotes: { old: "log(‘total computed’);", fresh: "log(‘total ready’);", after: "  log('total ready');\n" },
  a_misremembered_line_in_the_middle: {
    old: put(2, "  for (var item of items) sum += item.pirce").join("\n"),
    fresh: put(2, "  for (var item of items) sum += item.pirce").with(1, "  let sum = 4;").join("\n"),
    after: "  let sum = 4;\n  for (const item of items) sum += item.price;\n",
    guessed: true,
  },
  a_misremembered_first_line: {
    old: ["export functoin total(items) {", ...BLOCK.slice(1, 5)].join("\n"),
    fresh: ["export functoin total(items) {", "  let sum = 5;", ...BLOCK.slice(2, 5)].join("\n"),
    after: "export function total(items) {\n  let sum = 5;\n",
    guessed: true,
  },
};
const patchOf = (name: string) => {
  const way = WAYS[name];
  return callTool("patch", { path: `${name}.ts`, old_string: way?.old, new_string: way?.fresh }, "confirm");
};

let story: Story;
let work: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-story-"));
  work = join(folder, "work");
  mkdirSync(work);
  for (const name of Object.keys(WAYS)) writeFileSync(join(work, `${name}.ts`), FILE);
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ workspace: "work" }));
  const names = Object.keys(WAYS);
  story = await startStory({ folder, script: [...names.map(patchOf), ...names.map(patchOf)] });
});
afterAll(() => story.end());

test("nine ways to remember a place all lead there, and the file keeps everything else", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Change nine files", mode: "direct" }));
  for (const [name, { after }] of Object.entries(WAYS)) {
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
  for (const [name, { guessed }] of Object.entries(WAYS)) {
    const before = readFileSync(join(work, `${name}.ts`), "utf8");
    const gated = unwrap(await client.advance(thread.id));
    const repeated = unwrap(await client.advance(thread.id, approval(gated.thread.gate)));
    expect(repeated.turn?.receipts.at(-1), name).toMatchObject({ success: false });
    // A place that was only guessed is not guessed again once it has changed.
    expect(repeated.turn?.observation?.text, name).toContain(guessed ? "is not in the file" : "already has new_string");
    expect(readFileSync(join(work, `${name}.ts`), "utf8")).toBe(before);
  }
  story.model.assertSpent();
});
