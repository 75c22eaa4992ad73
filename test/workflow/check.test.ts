import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { fail, ok } from "../../src/schema/problem.ts";
import type { WorkflowError } from "../../src/workflow/definition.ts";
import { type ParseOptions, parseWorkflow, readWorkflow } from "../../src/workflow/parse.ts";
import { readYaml } from "../../src/workflow/read-yaml.ts";

const EXAMPLES = new URL("../../examples/workflows/", import.meta.url);

/** Returns a correct workflow of two roles with a loop. Each test breaks one thing. */
const valid = () => ({
  version: 1 as unknown,
  name: "pair" as unknown,
  description: "two roles" as unknown,
  roles: {
    writer: {
      description: "writes",
      goal: "Write.",
      capabilities: [] as unknown,
      procedure: "",
      output: "",
      frontmatter: {
        type: "object",
        properties: { $status: { const: "written" }, text: { type: "string" } } as Record<string, unknown>,
        required: ["$status"],
      } as Record<string, unknown>,
    },
    reader: {
      goal: "Read.",
      frontmatter: {
        oneOf: [
          { properties: { $status: { const: "good" } } },
          { properties: { $status: { const: "bad" }, why: { type: "string" } } },
        ],
      } as Record<string, unknown>,
    },
  } as Record<string, Record<string, unknown>>,
  graph: {
    $START: { new: { role: "writer", prompt: "Write." }, resume: { role: "writer", prompt: "Write again." } },
    writer: { written: { role: "reader", prompt: "Read {{ text }}." } },
    reader: { good: { role: "$END", prompt: "Good." }, bad: { role: "writer", prompt: "Improve: {{ why }}" } },
  } as Record<string, Record<string, Record<string, unknown>>>,
});

type Draft = ReturnType<typeof valid>;

/** Adds a role with this key. Only text can contain it, because an object literal would set its prototype. */
const withProtoRole = (d: Draft): Draft["roles"] =>
  JSON.parse(JSON.stringify(d.roles).replace('"reader"', '"__proto__"'));
const status = (name: string) => ({ properties: { $status: { const: name } } });
const edge = (draft: Draft, fields: Record<string, unknown>) =>
  Object.assign(draft.graph.writer?.written ?? {}, fields);

function errorsOf(change: (draft: Draft) => void, stem: string | null = "pair"): readonly WorkflowError[] {
  const draft = valid();
  change(draft);
  const read = readWorkflow(JSON.parse(JSON.stringify(draft)), stem);
  return read.ok ? [] : ((read.problem.details?.errors as WorkflowError[] | undefined) ?? []);
}

describe("checks of a workflow", () => {
  test("a correct one has no errors", () => {
    expect(errorsOf(() => {})).toEqual([]);
  });

  const cases: readonly [string, (draft: Draft) => void, string][] = [
    ["a version as text", (d) => (d.version = "1"), "version"],
    ["a version that is a fraction", (d) => (d.version = 1.5), "version"],
    ["a version that is a boolean", (d) => (d.version = true), "version"],
    ["a role named like the prototype of objects", (d) => (d.roles = withProtoRole(d)), "roles.__proto__"],
    ["a name that is not the file's", (d) => (d.name = "other"), "name"],
    ["a missing name", (d) => (d.name = undefined), "name"],
    ["a description that is no text", (d) => (d.description = 7), "description"],
    ["a role without an output schema", (d) => delete d.roles.writer?.frontmatter, "roles.writer.frontmatter"],
    ["a reserved name for a role", (d) => (d.roles.$END = { ...d.roles.reader }), "roles.$END"],
    [
      "capabilities that are no list",
      (d) => Object.assign(d.roles.writer ?? {}, { capabilities: "all" }),
      "roles.writer.capabilities",
    ],
    ["a role that is not in the graph", (d) => delete d.graph.reader, "roles.reader"],
    ["a node that is no role", (d) => (d.graph.ghost = {}), "graph.ghost"],
    [
      "a role that cannot be reached",
      (d) => (d.graph.writer = { written: { role: "$END", prompt: "x" } }),
      "roles.reader",
    ],
    ["a start without new", (d) => delete d.graph.$START?.new, "graph.$START.new"],
    ["a start without resume", (d) => delete d.graph.$START?.resume, "graph.$START.resume"],
    ["no start", (d) => delete d.graph.$START, "graph.$START"],
    [
      "a start with another status",
      (d) => Object.assign(d.graph.$START ?? {}, { later: { role: "writer", prompt: "x" } }),
      "graph.$START.later",
    ],
    ["an end with edges", (d) => (d.graph.$END = { new: { role: "writer", prompt: "x" } }), "graph.$END"],
    ["suspend as a node", (d) => (d.graph.$SUSPEND = {}), "graph.$SUSPEND"],
    [
      "suspend as a target",
      (d) => (d.graph.writer = { written: { role: "$SUSPEND", prompt: "x" } }),
      "graph.writer.written.role",
    ],
    [
      "an unknown target",
      (d) => (d.graph.writer = { written: { role: "editor", prompt: "x" } }),
      "graph.writer.written.role",
    ],
    [
      "the default edge",
      (d) => Object.assign(d.graph.writer ?? {}, { _: { role: "$END", prompt: "x" } }),
      "graph.writer._",
    ],
    [
      "an edge that no status leads to",
      (d) => Object.assign(d.graph.writer ?? {}, { lost: { role: "$END", prompt: "x" } }),
      "graph.writer.lost",
    ],
    ["a status without an edge", (d) => delete d.graph.reader?.bad, "graph.reader.bad"],
    [
      "a blank prompt",
      (d) => (d.graph.writer = { written: { role: "reader", prompt: "  " } }),
      "graph.writer.written.prompt",
    ],
    [
      "a template with a variable that no field has",
      (d) => (d.graph.writer = { written: { role: "reader", prompt: "{{ txt }}" } }),
      "graph.writer.written.prompt",
    ],
    [
      "a template with an unknown filter",
      (d) => (d.graph.writer = { written: { role: "reader", prompt: "{{ text | date: '%s' }}" } }),
      "graph.writer.written.prompt",
    ],
    [
      "a template that includes a file",
      (d) => (d.graph.writer = { written: { role: "reader", prompt: "{% include '/etc/passwd' %}" } }),
      "graph.writer.written.prompt",
    ],
    [
      "a location with an unknown variable",
      (d) => (d.graph.writer = { written: { role: "reader", prompt: "x", location: "{{ folder }}" } }),
      "graph.writer.written.location",
    ],
    [
      "a schema without a status",
      (d) => Object.assign(d.roles.writer ?? {}, { frontmatter: { properties: { a: {} } } }),
      "roles.writer.frontmatter",
    ],
    [
      "one of several schemas without a status",
      (d) => Object.assign(d.roles.reader ?? {}, { frontmatter: { oneOf: [status("good"), status("bad"), {}] } }),
      "roles.reader.frontmatter",
    ],
    [
      "a status that is a list of values",
      (d) => Object.assign(d.roles.writer ?? {}, { frontmatter: { properties: { $status: { enum: ["written"] } } } }),
      "roles.writer.frontmatter",
    ],
    [
      "a status that is no text",
      (d) => Object.assign(d.roles.writer ?? {}, { frontmatter: { properties: { $status: { const: 1 } } } }),
      "roles.writer.frontmatter",
    ],
    [
      "a schema that defines the status of a suspension",
      (d) => Object.assign(d.roles.reader ?? {}, { frontmatter: { oneOf: [status("good"), status("$SUSPEND")] } }),
      "roles.reader.frontmatter",
    ],
    ["a role without a goal", (d) => delete d.roles.reader?.goal, "roles.reader.goal"],
    ["a goal that is no text", (d) => Object.assign(d.roles.reader ?? {}, { goal: 7 }), "roles.reader.goal"],
    ["a target that is the start", (d) => edge(d, { role: "$START" }), "graph.writer.written.role"],
    ["an edge that is a string", (d) => (d.graph.writer = { written: "reader" as never }), "graph.writer.written"],
    ["a node without edges", (d) => (d.graph.writer = null as never), "graph.writer"],
    ["a location that is no text", (d) => edge(d, { location: 7 }), "graph.writer.written.location"],
    ["a template that is never closed", (d) => edge(d, { prompt: "{{ text" }), "graph.writer.written.prompt"],
    ["the status in a template", (d) => edge(d, { prompt: "{{ $status }}" }), "graph.writer.written.prompt"],
    ["roles that are a list", (d) => (d.roles = [] as never), "roles"],
    ["a missing graph", (d) => (d.graph = undefined as never), "graph"],
    [
      "a schema that defines _body",
      (d) =>
        Object.assign(d.roles.writer ?? {}, {
          frontmatter: { properties: { $status: { const: "written" }, text: {}, _body: {} } },
        }),
      "roles.writer.frontmatter",
    ],
    [
      "a schema with a regular expression",
      (d) =>
        Object.assign(d.roles.writer ?? {}, {
          frontmatter: { properties: { $status: { const: "written" }, text: { type: "string", pattern: "(a+)+$" } } },
        }),
      "roles.writer.frontmatter.properties.text.pattern",
    ],
    [
      "a schema with an unknown type",
      (d) =>
        Object.assign(d.roles.writer ?? {}, {
          frontmatter: { properties: { $status: { const: "written" }, text: { type: "texts" } } },
        }),
      "roles.writer.frontmatter",
    ],
  ];
  test.each(cases)("%s is reported with its path", (_name, change, path) => {
    expect(errorsOf(change).map((error) => error.path)).toContain(path);
  });

  test.each([
    ["prefixItems.0", { type: "array", prefixItems: [{ type: "string", pattern: "(a+)+$" }] }],
    ["items.0", { type: "array", items: [{ type: "string", pattern: "(a+)+$" }] }],
    ["propertyNames", { type: "object", propertyNames: { pattern: "(a+)+$" } }],
    ["contains", { type: "array", contains: { type: "string", pattern: "(a+)+$" } }],
    ["$defs.word", { $defs: { word: { type: "string", pattern: "(a+)+$" } } }],
  ])("a regular expression under %s is refused", (at, text) => {
    const frontmatter = { properties: { $status: { const: "written" }, text } };
    const errors = errorsOf((draft) => Object.assign(draft.roles.writer ?? {}, { frontmatter }));
    expect(errors.map(({ path }) => path)).toContain(`roles.writer.frontmatter.properties.text.${at}.pattern`);
  });

  test("names of a workflow and its roles have at most 128 characters", () => {
    const long = "n".repeat(129);
    const errors = errorsOf((draft) => {
      draft.name = long;
      draft.roles[long] = { ...draft.roles.reader };
    }, null);
    const tooLong = errors.filter(({ what }) => what.includes("128")).map(({ path }) => path);
    expect(tooLong).toEqual(["name", `roles.${long}`]);
  });

  test("a field may be named pattern, and a default may look like a schema", () => {
    const properties = {
      $status: { const: "written" },
      pattern: { type: "string", default: "" },
      text: { default: { pattern: "x" } },
    };
    const frontmatter = { properties };
    expect(errorsOf((draft) => Object.assign(draft.roles.writer ?? {}, { frontmatter }))).toEqual([]);
  });

  test("a template may use _body and every field of its status", () => {
    expect(
      errorsOf((d) => (d.graph.writer = { written: { role: "reader", prompt: "{{ _body }} {{ text }}" } })),
    ).toEqual([]);
  });

  test("a template may have conditions, loops and filters", () => {
    const prompt =
      "{% if text %}{{ text | strip | escape }}{% else %}none{% endif %}{% for i in (1..2) %}{{ i }}{% endfor %}";
    expect(errorsOf((d) => edge(d, { prompt }))).toEqual([]);
  });

  test("a field of another status is not available to a template", () => {
    const errors = errorsOf((d) => Object.assign(d.graph.reader?.good ?? {}, { prompt: "{{ why }}" }));
    expect(errors).toEqual([
      expect.objectContaining({ path: "graph.reader.good.prompt", legal: ["$status", "_body"] }),
    ]);
  });

  test("all errors are returned together", () => {
    const errors = errorsOf((d) => {
      d.version = "one";
      d.graph.ghost = {};
      delete d.graph.$START?.resume;
      Object.assign(d.graph.writer ?? {}, { _: { role: "nobody", prompt: "" } });
    });
    expect(errors.map(({ path }) => path)).toEqual([
      "version",
      "graph.writer._.prompt",
      "graph.$START.resume",
      "graph.writer._",
      "graph.writer._.role",
      "graph.ghost",
    ]);
  });

  test("the errors of a large file stay small", () => {
    const errors = errorsOf((d) => {
      for (let i = 0; i < 150; i++) {
        const name = `role-${i}`;
        Object.assign(d.roles, { [name]: d.roles.reader });
        Object.assign(d.graph, {
          [name]: { good: { role: "nobody", prompt: "x" }, bad: { role: "nobody", prompt: "x" } },
        });
      }
    });
    expect(errors).toHaveLength(200);
    expect(errors[0]?.legal).toHaveLength(50);
    expect(JSON.stringify(errors).length).toBeLessThan(200_000);
  });

  test("a file that is no mapping has one error", () => {
    expect(readWorkflow([1], null)).toMatchObject({ ok: false, problem: { code: "workflow_invalid" } });
    expect(readWorkflow(null, null)).toMatchObject({ ok: false, problem: { code: "workflow_invalid" } });
  });
});

const parse = (text: string, options: Partial<ParseOptions> = {}) => parseWorkflow(text, { stem: null, ...options });

describe("reading a file", () => {
  test.each(readdirSync(EXAMPLES))("the example %s is valid", (file) => {
    const text = readFileSync(new URL(file, EXAMPLES), "utf8");
    expect(parse(text, { stem: file.replace(/\.yaml$/, "") })).toMatchObject({ ok: true, value: { warnings: [] } });
  });

  test("a missing version is read as 1 with a warning, and unknown keys are tolerated", () => {
    const { version: _, ...rest } = valid();
    const read = parse(stringify({ ...rest, author: "someone" }));
    expect(read).toMatchObject({ ok: true, value: { workflow: { version: 1 } } });
    expect(read.ok && read.value.warnings).toHaveLength(1);
  });

  test("any whole number is a version, and is kept", () => {
    const read = parse(stringify({ ...valid(), version: 2 }));
    expect(read).toMatchObject({ ok: true, value: { workflow: { version: 2 }, warnings: [] } });
  });

  test("a file above 256 KB is refused", () => {
    expect(parse(`# ${"x".repeat(262_144)}\n`)).toMatchObject({
      ok: false,
      problem: { code: "workflow_too_large", status: 413 },
    });
  });

  test("a file whose aliases multiply is refused", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i <= 8; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(", ")}]`,
      );
    expect(parse(lines.join("\n"))).toMatchObject({ ok: false, problem: { code: "workflow_too_large" } });
  });

  test.each([
    "",
    "a: [",
    "a: 1\na: 2",
    "a: !!js/function x",
    "a: *missing",
    "\u0000",
    "a: !include x.md",
    "a: 1\n---\nb: 2",
    "? [a, b]\n: 1",
    "a: &a [*a]",
    // A parser needs seconds for each of these, or never finishes.
    "? ".repeat(400),
    "- ".repeat(10_000),
    "[".repeat(100_000),
    "{a: ".repeat(50_000),
  ])("%.40j is reported as invalid, with an error", (text) => {
    const read = parse(text);
    expect(read).toMatchObject({ ok: false, problem: { code: "workflow_invalid" } });
    expect(read.ok || read.problem.details?.errors).toContainEqual(
      expect.objectContaining({ path: expect.any(String) }),
    );
  });

  test("anchors can be merged into mappings", () => {
    const { roles, ...rest } = valid();
    const { frontmatter, ...writer } = roles.writer ?? {};
    const text = stringify({ shared: writer, roles: { ...roles, writer: { frontmatter } }, ...rest })
      .replace("shared:", "shared: &shared")
      .replace("  writer:\n", "  writer:\n    <<: *shared\n");
    expect(parse(text)).toMatchObject({ ok: true, value: { workflow: { roles: { writer: { goal: "Write." } } } } });
  });

  test("a file with a second document is refused in words about the file", () => {
    const read = parse(`${stringify(valid())}---\nname: other\n`);
    expect(read).toMatchObject({
      problem: { details: { errors: [{ path: "(file)", what: "has more than one document" }] } },
    });
  });

  const withIncludes = stringify(valid())
    .replace("goal: Write.", "goal: !include goals/writer.md")
    .replace(/frontmatter:\n\s+oneOf:[\s\S]*?(?=\ngraph)/, "frontmatter: !include reader.json");

  test("included files are texts, or data if they are JSON or YAML", () => {
    const files: Record<string, string> = {
      "goals/writer.md": "Write # well.",
      "reader.json": JSON.stringify(valid().roles.reader?.frontmatter),
    };
    const include = (path: string) => (files[path] === undefined ? fail("file_not_found", path) : ok(files[path]));
    const read = parse(withIncludes, { include });
    expect(read.ok && read.value.workflow.roles.writer?.goal).toBe("Write # well.");
    expect(read.ok && read.value.workflow.roles.reader?.frontmatter).toEqual(valid().roles.reader?.frontmatter);
    expect(parse(withIncludes)).toMatchObject({ ok: false, problem: { code: "workflow_invalid" } });
  });

  test("an included file includes others relative to itself, and never itself", () => {
    const files: Record<string, string> = {
      "parts/roles.yaml": "writer: !include text/writer.yaml",
      "parts/text/writer.yaml": "goal: !include goal.md",
      "parts/text/goal.md": "Write.",
      "loop.yaml": "a: !include loop.yaml",
    };
    const include = (path: string) => (files[path] === undefined ? fail("file_not_found", path) : ok(files[path]));
    expect(readYaml("roles: !include parts/roles.yaml", include)).toEqual(
      ok({ roles: { writer: { goal: "Write." } } }),
    );
    expect(readYaml("a: !include loop.yaml", include)).toMatchObject({ ok: false, problem: { status: 422 } });
  });

  test.each(["../secret", "a/../../b", "/etc/passwd", "c:\\x", "file:///etc/passwd"])(
    "%s cannot be included",
    (path) => {
      const include = () => ok("reached");
      const read = parse(`a: !include "${path.replaceAll("\\", "\\\\")}"`, { include });
      expect(read).toMatchObject({ ok: false, problem: { message: expect.stringContaining("only files below") } });
    },
  );

  test("a key that names a prototype is an ordinary key", () => {
    const errors = parse("name: x\nroles: {__proto__: {goal: y}}\ngraph: {constructor: {}}");
    expect(errors).toMatchObject({ ok: false, problem: { code: "workflow_invalid" } });
    expect(({} as { goal?: string }).goal).toBeUndefined();
  });
});
