import { expect, test } from "vitest";
import { renderPlot } from "../../bench/support/plot.ts";
import { withSection } from "../../bench/support/report.ts";

test("a benchmark writes its own section of the page and keeps the others", () => {
  const page = withSection(withSection("# Benchmarks\n", "load", "500 turns"), "jobs", "30 jobs");
  expect(page).toContain("500 turns");
  expect(page).toContain("30 jobs");
  const again = withSection(withSection(page, "load", "600 turns"), "jobs", "40 jobs");
  expect(again).toBe(page.replace("500 turns", "600 turns").replace("30 jobs", "40 jobs"));
  expect(again.match(/<!-- bench load -->/g)).toHaveLength(1);
});

test("a plot has a line for each series and a title", () => {
  const plot = renderPlot({
    title: "jobs per minute",
    labels: ["1", "2"],
    series: [
      { name: "fast", values: [10, 20] },
      { name: "slow", values: [1, 2] },
    ],
  });
  expect(plot.match(/<polyline/g)).toHaveLength(2);
  expect(plot).toContain('aria-label="jobs per minute"');
  expect(plot).not.toContain("NaN");
});
