// Tests tools whose schemas come from libraries other than zod.
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ToolSchema } from "../../src/tools/declared/standard-schema.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";
import { callTool } from "../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";

const describeTool = { name: "repeat", description: "Repeats a word." };
const say = ({ word, times }: { word: string; times: number }): string => word.repeat(times);

const TOOLS: readonly (readonly [string, Tool])[] = [
  ["zod", defineTool({ ...describeTool, input: z.object({ word: z.string(), times: z.number() }) }, say)],
  [
    "valibot",
    defineTool(
      { ...describeTool, input: toStandardJsonSchema(v.object({ word: v.string(), times: v.number() })) },
      say,
    ),
  ],
  ["arktype", defineTool({ ...describeTool, input: type({ word: "string", times: "number" }) }, say)],
];

describe.each(TOOLS)("%s", (_library, tool) => {
  const turn = async (args: Record<string, unknown>) => {
    const thread = await createTestThread(createTestRuntime([callTool("repeat", args)], [tool]), {
      goal: "x",
      mode: "direct",
    });
    return unwrap(await thread.turn()).outcome.turn?.observation?.text;
  };

  test("describes the arguments to the model", () => {
    expect(tool.manifest.input).toMatchObject({
      type: "object",
      properties: { word: { type: "string" }, times: { type: "number" } },
    });
  });

  test("validates arguments and names the invalid field", async () => {
    expect(await turn({ word: "ha", times: 2 })).toBe("haha");
    expect(await turn({ word: "ha", times: "two" })).toMatch(/Invalid arguments for repeat: times: /);
  });
});

test.each<readonly [string, ToolSchema]>([
  ["zod", z.object({ times: z.string().transform(Number), word: z.string().default("ha") })],
  [
    "valibot",
    toStandardJsonSchema(
      v.object({ times: v.pipe(v.string(), v.transform(Number)), word: v.optional(v.string(), "ha") }),
    ),
  ],
  ["arktype", type({ times: "string.numeric.parse", word: "string = 'ha'" })],
])("the transformations and defaults of %s apply to what was approved", async (_library, input) => {
  const write = { ...describeTool, permission: "WRITE", effect: "keyed", input } as const;
  const tool = defineTool(write, (args) => say(args as never));
  const thread = await createTestThread(createTestRuntime([callTool("repeat", { times: "2" })], [tool]), {
    goal: "x",
    mode: "direct",
  });
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("The call does not wait.");
  expect(gate.call.arguments).toEqual({ times: "2" });
  const approval = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
  expect(unwrap(await thread.turn(approval)).outcome.turn?.observation?.text).toBe("haha");
});

test("a schema without a JSON Schema is refused when the tool is defined", () => {
  const plain = v.object({ word: v.string() }) as never;
  expect(() => defineTool({ ...describeTool, input: plain }, () => "")).toThrow("has no JSON Schema");
});

const json = { input: () => ({ type: "object" }), output: () => ({}) };
const isFree = async (word: string): Promise<boolean> => word !== "taken";
const ASYNCHRONOUS: readonly (readonly [string, Tool])[] = [
  [
    "zod",
    defineTool(
      { ...describeTool, input: z.object({ word: z.string().refine(isFree, "is taken") }) },
      ({ word }) => `${word}!`,
    ),
  ],
  [
    "another library",
    defineTool(
      {
        ...describeTool,
        input: {
          "~standard": {
            version: 1,
            vendor: "own",
            validate: async (value: unknown) =>
              (await isFree((value as { word: string }).word))
                ? { value: value as { word: string } }
                : { issues: [{ message: "is taken", path: ["word"] }] },
            jsonSchema: json,
          },
        },
      },
      ({ word }) => `${word}!`,
    ),
  ],
];

const run = async (tool: Tool, args: Record<string, unknown>) => {
  const rt = createTestRuntime([callTool("repeat", args)], [tool]);
  const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
  return unwrap(await thread.turn()).outcome.turn?.observation?.text;
};

test.each(ASYNCHRONOUS)("an asynchronous validator of %s is waited for", async (_library, tool) => {
  expect(await run(tool, { word: "free" })).toBe("free!");
  expect(await run(tool, { word: "taken" })).toBe("Invalid arguments for repeat: word: is taken.");
});

test("a validator that throws refuses the arguments, without its message", async () => {
  const refuse = (how: () => unknown) =>
    run(
      defineTool({ ...describeTool, input: z.object({ word: z.string().refine(how) }) }, () => ""),
      { word: "a" },
    );
  const error = () => {
    throw new Error("secret");
  };
  for (const how of [error, async () => error()])
    expect(await refuse(how)).toBe("Invalid arguments for repeat: arguments: the schema failed to check the value.");
});

test("an asynchronous output schema is waited for", async () => {
  const output = z.string().refine(isFree, "is taken");
  const tool = defineTool({ ...describeTool, input: z.object({ word: z.string() }), output }, ({ word }) => word);
  expect(await run(tool, { word: "free" })).toBe("free");
  expect(await run(tool, { word: "taken" })).toContain("broke its own output schema");
});

test("manifests of zod tools are what zod makes of them", () => {
  const input = z.object({ word: z.string().default("a") });
  const tool = defineTool({ ...describeTool, input, output: z.object({ at: z.date() }) as never }, () => ({}) as never);
  expect(JSON.stringify(tool.manifest.input)).toBe(JSON.stringify(z.toJSONSchema(input, { io: "input" })));
  expect(JSON.stringify(tool.manifest.output)).toContain('"at"');
});
