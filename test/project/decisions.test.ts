// Tests the pages about decisions: they are numbered without gaps, each has a status, and the index lists all of them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";

const FOLDER = "docs/decisions";
const pages = readdirSync(join(projectRoot, FOLDER))
  .filter((name) => name !== "README.md")
  .sort();
const text = (page: string): string => readSource(`${FOLDER}/${page}`);

test("the numbers have no gaps, and every title has the number of its file", () => {
  expect(pages.map((page) => Number(page.slice(0, 4)))).toEqual(pages.map((_, n) => n + 1));
  for (const page of pages) expect(text(page)).toMatch(new RegExp(`^# ${Number(page.slice(0, 4))}\\. \\S`));
});

test.each(pages)("%s says whether it still holds, and names the page that replaces or changes it", (page) => {
  const status = /^Status: (.+)$/m.exec(text(page))?.[1] ?? "";
  expect(status).toMatch(/^(accepted|accepted; amended by \[\d+\]\(.+\).*|superseded by \[\d+\]\(.+\))$/);
  for (const [, number = "", link = ""] of status.matchAll(/\[(\d+)\]\(([^)]+)\)/g)) {
    expect(link.startsWith(number.padStart(4, "0"))).toBe(true);
    expect(existsSync(join(projectRoot, FOLDER, link))).toBe(true);
  }
});

test("the index lists every page under its title", () => {
  const lines = pages.map((page) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text(page)) ?? [];
    return `${number}. [${title}](${page})`;
  });
  expect(readSource(`${FOLDER}/README.md`).match(/^\d+\. .+$/gm)).toEqual(lines);
});
