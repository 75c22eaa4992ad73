import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { PROBLEMS } from "../../src/schema/problem.ts";

const FOLDER = "docs/problems";
const pages = readdirSync(join(projectRoot, FOLDER)).filter((name) => name !== "README.md");
const codes = Object.keys(PROBLEMS);

describe("problem pages", () => {
  test("every problem has a page, and every page has a problem", () => {
    expect(pages.toSorted()).toEqual(codes.map((code) => `${code}.md`).toSorted());
  });

  test.each(pages)("%s is titled with its code and says how to fix it", (page) => {
    const text = readSource(`${FOLDER}/${page}`);
    expect(text.split("\n")[0]).toBe(`# ${page.replace(".md", "")}`);
    expect(text).toMatch(/^## What to do\n+\S/m);
  });
});

/** Returns the files that a page links to, without anchors and external URLs. */
const linkedFiles = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? "").replace(/#.*$/, ""))
    .filter((link) => link !== "" && !/^[a-z]+:/.test(link));

describe("links", () => {
  const written = [
    ...readdirSync(projectRoot).filter((name) => name.endsWith(".md")),
    ...readdirSync(join(projectRoot, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
    "machines/README.md",
  ];

  test.each(written)("%s links only to existing files", (page) => {
    const missing = linkedFiles(readSource(page)).filter((link) => !existsSync(join(projectRoot, page, "..", link)));
    expect(missing).toEqual([]);
  });
});

describe("the index of the documentation", () => {
  const linked = linkedFiles(readSource("docs/README.md"));
  const pagesIn = (folder: string): readonly string[] =>
    readdirSync(join(projectRoot, "docs", folder))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .map((name) => (folder === "" ? name : `${folder}/${name}`));

  test("lists every page", () => {
    const all = ["", "how-to", "reference"].flatMap(pagesIn);
    expect(all.filter((page) => !linked.includes(page))).toEqual([]);
  });
});
