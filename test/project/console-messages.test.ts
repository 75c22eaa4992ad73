// Tests that every text that a user can read in the console comes from the catalogs in src/console/messages, in all
// languages.
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { type Node, readSource, sourceFiles } from "../../scripts/read-source.ts";
import { preferredLanguage, setLanguage, t } from "../../src/console/messages/messages.ts";
import { zhRuntime } from "../../src/console/messages/zh-runtime.ts";

const READABLE_ATTRIBUTES = ["aria-label", "alt", "label", "placeholder", "title", "confirmLabel", "hint", "children"];
const SKIPPED_FIELDS = ["class", "className", "style", "d", "viewBox", "rel", "transform", "authorization"];

/**
 * Reports whether a string has two words or a word with a capital letter, for example "Send" or "is running", but not
 * "thread-row", "POST" or "#/inbox".
 */
const isSentence = (text: string): boolean =>
  /\p{Script=Han}/u.test(text) || /^\s*[A-Z][a-z]+\b/.test(text) || /(?:^|\s)[a-z]{2,}[,.:]? [a-z]{2,}/i.test(text);
const isWord = (text: string): boolean => /[a-z]{2,}/i.test(text);

const nameOf = (node: Node): string => String(node.name ?? node.value ?? "");

/** Collects the strings below a node. `readable` is true directly inside an attribute or a child that users read. */
function collect(node: unknown, readable: boolean, found: string[]): void {
  if (Array.isArray(node)) for (const one of node) collect(one, readable, found);
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  const { type, ...fields } = node as Node;
  if (isInvisible(type, fields)) return;
  if (type === "Literal" || type === "TemplateElement") {
    const text = typeof fields.value === "string" ? fields.value : (fields.value as { cooked?: string } | null)?.cooked;
    if (typeof text === "string" && (isSentence(text) || (readable && isWord(text)))) found.push(text);
  } else if (type === "Property") {
    const name = nameOf(fields.key as Node);
    const direct = ["Literal", "ArrayExpression"].includes((fields.value as Node).type);
    if (!SKIPPED_FIELDS.includes(name)) collect(fields.value, READABLE_ATTRIBUTES.includes(name) && direct, found);
  } else {
    for (const value of Object.values(fields)) collect(value, readable && type === "ArrayExpression", found);
  }
}

/** Matches imports, comparisons with a constant, and the messages of bugs. */
const isInvisible = (type: string, fields: object): boolean =>
  type.startsWith("Import") ||
  type === "ThrowStatement" ||
  (type === "BinaryExpression" && /^[!=]=/.test(String((fields as { operator?: string }).operator)));

function visibleStrings(source: string, loader: "ts" | "tsx" = "tsx"): readonly string[] {
  const { code } = transformSync(source, { loader, jsx: "automatic", jsxImportSource: "hono/jsx/dom" });
  const found: string[] = [];
  collect(parseAst(code).body, false, found);
  return found;
}

describe("texts of the console", () => {
  const files = sourceFiles("src/console").filter((path) => !path.startsWith("src/console/messages/"));

  test("there are files to check", () => expect(files.length).toBeGreaterThan(50));

  test.each(files)("%s has none outside the catalogs", (path) => {
    expect(visibleStrings(readSource(path), path.endsWith("x") ? "tsx" : "ts")).toEqual([]);
  });

  test("the sentences that the runtime writes are translated", async () => {
    const written = sourceFiles("src/turn").map(readSource).join("\n");
    expect(Object.keys(zhRuntime).filter((sentence) => !written.includes(JSON.stringify(sentence)))).toEqual([]);
    await setLanguage("zh");
    expect(t().turn.written("好。\n\nNote: nothing was recorded that proves this.")).toBe(
      "好。\n\n注意：没有任何记录能证实这一点。",
    );
    await setLanguage("en");
  });

  const TERMINAL = [
    "answer-gate",
    "background-run",
    "chat",
    "connect",
    "doctor",
    "link",
    "main",
    "plan-lines",
    "show",
    "threads",
    "watch-turn",
  ];

  test.each(TERMINAL)("the terminal's src/cli/%s.ts has none outside its catalog", (name) => {
    expect(visibleStrings(readSource(`src/cli/${name}.ts`), "ts")).toEqual([]);
  });

  test("the check finds children, attributes, conditions and templates", () => {
    expect(visibleStrings(`const A = () => <p title="x" aria-label="send">hello</p>;`)).toEqual(["send", "hello"]);
    expect(visibleStrings("const a = `some files ` + `are left`; const b = n ? 'Saved' : t().x;")).toHaveLength(2);
    expect(visibleStrings(`const a = <p class="row spread" role="alert">{t().x}</p>; fetch("/v1", "POST");`)).toEqual(
      [],
    );
  });

  test("both languages have the same texts", async () => {
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape);
      if (typeof value !== "object" || value === null) return typeof value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
    };
    const english = t();
    await setLanguage("zh");
    const chinese = t();
    await setLanguage("en");
    expect(shape(chinese)).toEqual(shape(english));
    expect(JSON.stringify(english)).not.toMatch(/\p{Script=Han}/u);
    const untranslated = Object.values(chinese).flatMap((section) =>
      Object.values(section).filter((text) => typeof text === "string" && /^[A-Za-z ]{8,}$/.test(text)),
    );
    expect(untranslated).toEqual([]);
  });

  test("the browser's first known language is used, else English", () => {
    expect(preferredLanguage(["fr-FR", "zh-CN", "en"])).toBe("zh");
    expect(preferredLanguage(["en-GB", "zh"])).toBe("en");
    expect(preferredLanguage(["fr"])).toBe("en");
    expect(preferredLanguage([])).toBe("en");
  });
});
