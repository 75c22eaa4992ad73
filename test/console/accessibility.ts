// Checks accessibility with axe, and checks for horizontal scrolling.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = { readonly id: string; readonly impact: string | null; readonly nodes: { readonly html: string }[] };

/** Returns serious and critical axe violations as readable text. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    return (await axe.run({ resultTypes: ["violations"] })).violations;
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

/**
 * Returns the buttons, standalone links and fields that are too small for a finger: smaller than 44 px and not part of
 * a sentence.
 */
export const smallTargets = (page: Page): Promise<readonly string[]> =>
  page
    .locator("button:visible, select:visible, summary:visible, a:visible, label.check:visible, input:visible")
    .evaluateAll((all) =>
      all
        .filter((one) => {
          const isInText = one.matches("p a, li a, dd a, td a, label input, .skip-link, p button, li button.link");
          return !isInText && one.getBoundingClientRect().height < 43.5;
        })
        .map((one) => one.outerHTML.slice(0, 120)),
    );

/** Returns the number of pixels by which the page scrolls horizontally. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Returns the elements inside these containers that are wider than them and cannot be scrolled into view. */
export const cutOff = (page: Page, containers: string): Promise<readonly string[]> =>
  page.locator(containers).evaluateAll((all) =>
    all.flatMap((container) => {
      const edge = container.getBoundingClientRect().right + 1;
      return [...container.querySelectorAll("*")]
        .filter((one) => one.getBoundingClientRect().right > edge)
        .map((one) => one.outerHTML.slice(0, 80));
    }),
  );
