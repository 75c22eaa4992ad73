import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LOCAL_TENANT, ThreadId, type ThreadRef } from "../../src/schema/ids.ts";
import { activationOf, createCatalog } from "../../src/tools/catalog.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { problemCode } from "../support/runtime.ts";
import { aManifest, idOf } from "../support/thread.ts";

const at = (n: number): ThreadRef => ({ tenant: LOCAL_TENANT, thread: ThreadId.parse(idOf("thr", n)) });
const base = ["bash", "read_file", "write_file", "list_dir", "patch"].map((name) =>
  aManifest({ name, toolset: "base" }),
);
const without = (field: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(aManifest({ name: "tool" })).filter(([key]) => key !== field));

describe("the catalog", () => {
  test("holds manifests of tools that have no handler, and has no way to run one", () => {
    const catalog = createCatalog(base);
    expect(catalog.all()).toEqual(base);
    for (const held of catalog.all())
      expect(Object.values(held).some((fact) => typeof fact === "function")).toBe(false);
    expect(Object.keys(catalog).sort()).toEqual(["all", "get", "register", "remove"]);
  });

  test("keeps one entry per name: the later description stands", () => {
    const catalog = createCatalog();
    catalog.register(aManifest({ name: "look", description: "First." }));
    catalog.register(aManifest({ name: "look", description: "Second." }));
    expect(catalog.all().map((manifest) => manifest.description)).toEqual(["Second."]);
  });

  test("an unknown name gives nothing, not an error", () => {
    expect(createCatalog().get("nobody")).toBeNull();
    expect(createToolbox([]).tool("nobody", at(1))).toBeNull();
  });

  test("toolsets are active by default, except those that need a part or are only other names", () => {
    for (const toolset of ["base", "planning", "interaction", "mine"]) expect(activationOf(toolset)).toBe("default");
    expect(activationOf("crew")).toEqual({ needs: "crew" });
    expect(activationOf("aliases")).toBe("on_request");
  });
});

describe("registration", () => {
  test("streaming and tags may be left out", () => {
    const catalog = createCatalog();
    for (const field of ["streaming", "tags"]) expect(problemCode(catalog.register(without(field)))).toBe("ok");
    expect(catalog.get("tool")).toMatchObject({ streaming: false, tags: [] });
  });

  test.each([
    "name",
    "description",
    "category",
    "toolset",
    "origin",
    "input",
    "output",
    "permission",
    "scope",
    "effect",
    "requires_confirmation",
  ])("a manifest without %s is refused and names the field", (field) => {
    const refused = createCatalog().register(without(field));
    expect(refused).toMatchObject({ ok: false, problem: { code: "manifest_invalid", details: { field } } });
  });

  test.each([
    ["permission", "ADMIN"],
    ["scope", "EVERYWHERE"],
    ["effect", "maybe"],
    ["origin", "somewhere"],
    ["route", "sideways"],
    ["name", "Read File"],
  ])("%s %s is refused", (field, value) => {
    const refused = createCatalog().register({ ...aManifest({ name: "tool" }), [field]: value });
    expect(refused).toMatchObject({ ok: false, problem: { code: "manifest_invalid", details: { field } } });
  });

  test.each([{ type: "string" }, { path: "string" }, { anyOf: [{ type: "object" }, { type: "null" }] }, { anyOf: [] }])(
    "input %j is not the schema of an object and is refused",
    (input) => {
      expect(problemCode(createCatalog().register({ ...aManifest({ name: "tool" }), input }))).toBe("manifest_invalid");
    },
  );

  test("a write to a database cannot be declared repeatable at will", () => {
    const write = aManifest({ name: "insert", permission: "WRITE", scope: "DB_WRITE" });
    expect(problemCode(createCatalog().register(write))).toBe("ok");
    expect(problemCode(createCatalog().register({ ...write, effect: "keyed" }))).toBe("ok");
    expect(problemCode(createCatalog().register({ ...write, effect: "pure" }))).toBe("manifest_invalid");
  });

  test("all four origins register alike and run on the same path", async () => {
    const origins = ["builtin", "external", "mcp", "plugin"] as const;
    const toolbox = createToolbox(
      origins.map((origin) =>
        defineTool(
          { name: `${origin}_tool`, description: "x", origin, input: z.object({}), output: z.string() },
          () => origin,
        ),
      ),
    );
    expect(toolbox.manifests().map((manifest) => manifest.origin)).toEqual(origins);
    for (const origin of origins) expect(toolbox.tool(`${origin}_tool`, at(1))?.run({}, {} as never)).toBe(origin);
  });

  test("a tool of another origin cannot take an existing name", () => {
    const catalog = createCatalog([aManifest({ name: "bash", description: "Ours." })]);
    expect(problemCode(catalog.register(aManifest({ name: "bash", origin: "mcp", description: "Theirs." })))).toBe(
      "tool_name_taken",
    );
    expect(catalog.get("bash")?.description).toBe("Ours.");
    const toolbox = createToolbox([
      defineTool({ name: "bash", description: "Ours.", input: z.object({}) }, () => "ours"),
    ]);
    const shadow = defineTool({ name: "bash", origin: "mcp", description: "x", input: z.object({}) }, () => "theirs");
    expect(problemCode(toolbox.register(shadow))).toBe("tool_name_taken");
    expect(toolbox.tool("bash", at(1))?.run({}, {} as never)).toBe("ours");
  });

  test("a tool that is taken out is gone from both halves", () => {
    const toolbox = createToolbox([defineTool({ name: "look", description: "x", input: z.object({}) }, () => "seen")]);
    expect(toolbox.remove("look")).toBe(true);
    expect(toolbox.manifests()).toEqual([]);
    expect(toolbox.tool("look", at(1))).toBeNull();
    expect(toolbox.remove("look")).toBe(false);
  });

  test("a factory makes a tool of its own for every thread", async () => {
    const notes = new Map<string, string[]>();
    const note = (thread: string) =>
      defineTool({ name: "note", description: "Notes.", input: z.object({ text: z.string() }) }, ({ text }) => {
        const own = notes.get(thread) ?? [];
        notes.set(thread, [...own, text]);
        return (notes.get(thread) ?? []).join(",");
      });
    const toolbox = createToolbox([{ manifest: note("").manifest, make: ({ thread }) => note(thread) }]);
    const run = (n: number, text: string) => toolbox.tool("note", at(n))?.run({ text }, {} as never);
    expect(await Promise.all([run(1, "a"), run(2, "b"), run(1, "c")])).toEqual(["a", "b", "a,c"]);
  });
});
