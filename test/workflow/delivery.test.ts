import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDelivery } from "../../src/workflow/frontmatter.ts";
import { formatInstruction, HISTORY_CHARS_MAX, rolePrompt, type Visit } from "../../src/workflow/role-prompt.ts";

const FLAT = {
  type: "object",
  properties: {
    $status: { const: "done" },
    count: { type: "integer" },
    mood: { enum: ["good", "bad"], description: "how it went" },
    names: { type: "array", items: { type: "string" } },
  },
  required: ["$status", "count"],
};
const TWO = {
  oneOf: [
    { properties: { $status: { const: "yes" }, why: { type: "string" } }, required: ["$status", "why"] },
    { properties: { $status: { const: "no" } }, required: ["$status"] },
  ],
};

describe("reading a delivery", () => {
  test.each([
    ["clean", "---\n$status: done\ncount: 3\n---\n# Text\n"],
    ["a byte order mark", "\uFEFF---\n$status: done\ncount: 3\n---\n# Text"],
    ["blank lines first", "\n  \n---\n$status: done\ncount: 3\n---\n# Text"],
    ["Windows line ends", "---\r\n$status: done\r\ncount: 3\r\n---\r\n# Text\r\n"],
    ["unknown fields", "---\n$status: done\ncount: 3\nextra: 1\n---\n# Text"],
  ])("%s is accepted", (_name, text) => {
    expect(readDelivery(FLAT, text)).toEqual({
      ok: true,
      value: { kind: "output", output: { $status: "done", count: 3 }, body: "# Text" },
    });
  });

  test.each([
    ["prose first", "Here it is:\n---\n$status: done\ncount: 3\n---\n", "frontmatter"],
    ["no closing line", "---\n$status: done\ncount: 3\n", "frontmatter"],
    ["an empty block", "---\n---\ntext", "frontmatter"],
    ["no block", "done", "frontmatter"],
    ["an empty reply", "", "frontmatter"],
    ["invalid YAML", "---\n$status: [\n---\n", "frontmatter"],
    ["a list", "---\n- done\n---\n", "frontmatter"],
    ["a second document", "---\n$status: done\ncount: 3\n...\nmood: good\n---\n", "frontmatter"],
    ["a number that JSON does not have", "---\n$status: done\ncount: 3\nx: .nan\n---\n", "frontmatter"],
    ["a date", "---\n$status: done\ncount: 3\nx: !!timestamp 2026-01-01\n---\n", "frontmatter"],
    ["a set", "---\n$status: done\ncount: 3\nx: !!set { a }\n---\n", "frontmatter"],
    ["binary data", "---\n$status: done\ncount: 3\nx: !!binary aGk=\n---\n", "frontmatter"],
    ["half a character", '---\n$status: done\ncount: 3\nx: "\\ud800"\n---\n', "frontmatter"],
    ["another status", "---\n$status: finished\ncount: 3\n---\n", "schema"],
    ["no status", "---\ncount: 3\n---\n", "schema"],
    ["a missing field", "---\n$status: done\n---\n", "schema"],
    ["a field of another type", "---\n$status: done\ncount: three\n---\n", "schema"],
    ["a value outside the list", "---\n$status: done\ncount: 3\nmood: fair\n---\n", "schema"],
    ["a suspension without a reason", "---\n$status: $SUSPEND\n---\n", "schema"],
  ])("%s is refused", (_name, text, phase) => {
    expect(readDelivery(FLAT, text)).toMatchObject({
      ok: false,
      problem: { code: "step_invalid_output", details: { phase } },
    });
  });

  test("the variant is chosen by its status, and its required fields apply", () => {
    expect(readDelivery(TWO, "---\n$status: no\nwhy: because\n---\n")).toMatchObject({
      ok: true,
      value: { output: { $status: "no" } },
    });
    expect(readDelivery(TWO, "---\n$status: yes\n---\n")).toMatchObject({ ok: false });
  });

  test("a suspension is read before the schema", () => {
    expect(readDelivery(FLAT, "---\n$status: $SUSPEND\nreason: Which year?\n---\nI need to know.")).toEqual({
      ok: true,
      value: { kind: "suspended", reason: "Which year?", body: "I need to know." },
    });
  });

  test("a status that YAML reads as something else is shown in quotes, and read with and without them", () => {
    const statuses = ["404", "true", "null", "1e3", "needs: work", "half # done", "yes"];
    const branches = statuses.map((status) => ({ properties: { $status: { const: status } }, required: ["$status"] }));
    const shown = formatInstruction({ oneOf: branches }).matchAll(/^---\n(\$status: .*)\n---$/gm);
    const deliveries = [...shown].map(([, line]) => readDelivery({ oneOf: branches }, `---\n${line}\n---\n`));
    expect(deliveries.map((one) => one.ok && one.value)).toMatchObject(
      statuses.map((status) => ({ output: { $status: status } })),
    );
    for (const bare of ["404", "true", "null"])
      expect(readDelivery({ oneOf: branches }, `---\n$status: ${bare}\n---\n`)).toMatchObject({
        ok: true,
        value: { output: { $status: bare } },
      });
  });

  test("a line --- inside the text does not end it", () => {
    expect(readDelivery(FLAT, "---\n$status: done\ncount: 3\n---\na\n\n---\n\nb")).toMatchObject({
      value: { body: "a\n\n---\n\nb" },
    });
  });

  test("no text makes it throw", () => {
    const nearly = fc.array(
      fc.constantFrom(
        "---",
        "\n",
        "$status",
        ": ",
        "done",
        "*a",
        "&a ",
        "!!map",
        "[",
        "{",
        "|",
        "\t",
        "\uFEFF",
        "count: 1",
      ),
      { maxLength: 24 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          nearly.map((parts) => `---\n${parts.join("")}`),
        ),
        (text) => {
          const read = readDelivery(FLAT, text);
          expect(read.ok || read.problem.code === "step_invalid_output").toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("the format instruction", () => {
  test("of a flat schema", () => {
    expect(formatInstruction(FLAT)).toMatchInlineSnapshot(`
      "## Deliverable format

      Your deliverable is Markdown that begins with YAML frontmatter of this form:

      \`\`\`
      ---
      $status: done
      count: <integer, required>
      mood: <good | bad, optional; how it went>
      names: <list of string, optional>
      ---

      <Markdown>
      \`\`\`

      If you cannot go on without a person, deliver this instead, whatever the forms above are:

      \`\`\`
      ---
      $status: $SUSPEND
      reason: <what you need to know, as text>
      ---
      \`\`\`

      The first line of the deliverable is ---. Add no other fields, and write nothing before the frontmatter."
    `);
  });

  test("of several variants, one block each, and always the form of a suspension", () => {
    const text = formatInstruction(TWO);
    expect(text).toContain("one of these 2 forms");
    expect(text.match(/^\$status: .*$/gm)).toEqual(["$status: yes", "$status: no", "$status: $SUSPEND"]);
  });
});

const ROLE = {
  description: "d",
  goal: "Be good.",
  capabilities: ["reading"],
  prepare: "",
  procedure: "Do it.",
  output: "A text.",
  frontmatter: FLAT,
};
const VISIT: Visit = {
  thread: "thr_1",
  n: 1,
  visits: 0,
  task: "The task.",
  since: [],
  more: 0,
  instruction: "Begin.",
  location: null,
};
const titles = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);

describe("the prompt of a role", () => {
  test("has its parts in order, without those that are empty", () => {
    expect(titles(rolePrompt("writer", ROLE, VISIT))).toEqual([
      "Deliverable format",
      "Thread progress",
      "Goal",
      "Capabilities",
      "Procedure",
      "Output",
      "Task",
      "Instruction",
    ]);
  });

  const past = (n: number, chars: number) => ({
    n,
    role: "other",
    output: { $status: "x", n },
    body: `body ${n} ${"y".repeat(chars)}`,
  });
  const newestFirst = (count: number, chars: number) => Array.from({ length: count }, (_, i) => past(count - i, chars));

  test("on a first visit, contents are shown newest first up to the limit, and the rest is counted", () => {
    const text = rolePrompt("writer", ROLE, { ...VISIT, n: 11, since: newestFirst(10, 10_000), more: 5 });
    expect(text).toMatch(/### Step 10[\s\S]*### Step 9[\s\S]*### Step 8/);
    expect(text).not.toContain("### Step 7");
    expect(text).toContain("(12 earlier steps are left out.)");
    expect(text.length).toBeLessThan(HISTORY_CHARS_MAX + 3_000);
  });

  test("at least one step is shown, shortened if it is too long", () => {
    const text = rolePrompt("writer", ROLE, { ...VISIT, since: newestFirst(2, 50_000) });
    expect(text).toContain("### Step 2");
    expect(text).not.toContain("### Step 1");
    expect(text.length).toBeLessThan(HISTORY_CHARS_MAX + 3_000);
  });

  test("on a later visit only the outputs of the steps since then are listed", () => {
    const text = rolePrompt("writer", ROLE, { ...VISIT, n: 5, visits: 1, since: newestFirst(2, 10) });
    expect(text).toContain('- Step 1, other: {"$status":"x","n":1}\n- Step 2');
    expect(text).not.toContain("body 2");
    expect(text).toContain("Earlier visits of this role: 1.");
  });
});
