import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Workflow } from "../../src/workflow/definition.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { renderTemplate } from "../../src/workflow/render.ts";
import { route } from "../../src/workflow/route.ts";

function example(name: string): Workflow {
  const text = readFileSync(new URL(`../../examples/workflows/${name}.yaml`, import.meta.url), "utf8");
  const parsed = parseWorkflow(text, { stem: name });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value.workflow;
}

const brainstorm = example("brainstorm");

describe("the moderator", () => {
  test("starts with the edge new, and resumes an ended thread with the edge resume", () => {
    expect(route(brainstorm, "new")).toEqual({
      ok: true,
      value: { kind: "role", role: "collector", prompt: "Collect ideas for the topic.", location: null },
    });
    expect(route(brainstorm, "resume")).toMatchObject({ ok: true, value: { prompt: "Collect more ideas." } });
  });

  test("follows the status of the last step and renders its output", () => {
    const from = { role: "critic", output: { $status: "reviewed", groups: ["a", "b"], direction: "c" }, body: "" };
    expect(route(brainstorm, from)).toMatchObject({
      ok: true,
      value: { role: "collector", prompt: "Groups: a, b. Look further in this direction: c" },
    });
    // The same step leads to the same role every time.
    expect(route(brainstorm, from)).toEqual(route(brainstorm, from));
  });

  test("ends at $END", () => {
    const from = { role: "editor", output: { $status: "done", proposals: "x" }, body: "" };
    expect(route(brainstorm, from)).toEqual({ ok: true, value: { kind: "end", prompt: "The proposals are written." } });
  });

  test("the text of the step is available as _body, and a location is rendered", () => {
    const socratic = example("socratic-questioning");
    expect(route(socratic, { role: "questioner", output: { $status: "asked" }, body: "Why?" })).toMatchObject({
      ok: true,
      value: { prompt: "The questioner asks:\n\nWhy?" },
    });
    const output = { $status: "ready", repo: "/srv/x", scenarios: ["s"] };
    expect(route(example("solve-issue"), { role: "planner", output, body: "" })).toMatchObject({
      ok: true,
      value: { location: "/srv/x" },
    });
  });

  test.each([
    [{ role: "nobody", output: { $status: "x" }, body: "" }, "route_unknown_role"],
    [{ role: "constructor", output: { $status: "x" }, body: "" }, "route_unknown_role"],
    [{ role: "critic", output: {}, body: "" }, "route_unknown_status"],
    [{ role: "critic", output: { $status: 7 }, body: "" }, "route_unknown_status"],
    [{ role: "critic", output: { $status: "toString" }, body: "" }, "route_unknown_status"],
  ])("%j is a problem", (from, code) => {
    expect(route(brainstorm, from)).toMatchObject({ ok: false, problem: { code } });
  });

  test("a missing variable renders as nothing, and a wholly blank prompt is a problem", () => {
    const workflow: Workflow = {
      ...brainstorm,
      graph: { critic: { reviewed: { role: "editor", prompt: "{{ a }} {{ b }}", location: null } } },
    };
    const from = (output: Record<string, unknown>) => ({
      role: "critic",
      output: { $status: "reviewed", ...output },
      body: "",
    });
    expect(route(workflow, from({ a: "x" }))).toMatchObject({ ok: true, value: { prompt: "x " } });
    expect(route(workflow, from({}))).toMatchObject({ ok: false, problem: { code: "route_template" } });
  });
});

describe("templates", () => {
  const render = (template: string, variables: Record<string, unknown> = {}) =>
    renderTemplate(template, variables, { strict: false });

  test("only own properties are readable", () => {
    expect(render("{{ a.constructor.name }}{{ __proto__.x }}", { a: "x" })).toEqual({ ok: true, value: "" });
    expect(render("{{ n.toFixed }}{{ list.join }}", { n: 5, list: ["a", "b"] })).toEqual({ ok: true, value: "" });
  });

  test.each([
    ["a loop without end", "{% for i in (1..100000000) %}{{ i }}{% endfor %}"],
    ["nested loops", "{% for i in (1..9999) %}{% for j in (1..9999) %}{{ j }}{% endfor %}{% endfor %}"],
    ["a file", "{% include 'x' %}"],
    ["another file", "{% render 'x' %}"],
    ["a tag that does not exist", "{% shell ls %}"],
    ["an open tag", "{% if a %}"],
    ["the clock", "{{ 'now' | date: '%s' }}"],
  ])("%s is refused", (_name, template) => {
    expect(render(template)).toMatchObject({ ok: false, problem: { code: "route_template" } });
  });

  test("no template makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.dictionary(fc.string(), fc.jsonValue()), (text, variables) => {
        for (const template of [text, `{{ ${text} }}`, `{% ${text} %}`])
          expect(() => render(template, variables)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
