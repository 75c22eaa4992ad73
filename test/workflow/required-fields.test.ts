// Tests fields that a role must deliver, whether or not the schema describes them.
import { expect, test } from "vitest";
import { failedWith, succeeded } from "../../src/testing/expect.ts";
import { formatInstruction } from "../../src/workflow/role-prompt.ts";
import { sampleOf, validateOutput, variantsOf } from "../../src/workflow/role-schema.ts";

const schema = {
  type: "object",
  properties: {
    $status: { const: "done" },
    source: { properties: { name: { type: "string" } }, required: ["url"] },
    parts: { type: "array", items: { type: "object", required: ["id"] } },
    note: {},
  },
  required: ["$status", "summary", "note"],
};

test("a required field that the schema does not describe must be there, and is kept", () => {
  const { message } = failedWith(validateOutput(schema, { $status: "done" }), "step_invalid_output");
  expect(message).toContain("summary: is required");
  expect(message).toContain("note: is required");
  const fields = { $status: "done", summary: ["anything"], note: null };
  expect(succeeded(validateOutput(schema, { ...fields, other: 1 }))).toEqual(fields);
});

test("the same holds inside of objects and lists", () => {
  const fields = { $status: "done", summary: "s", note: "n", source: { name: "a" }, parts: [{ id: 1 }, {}] };
  const { message } = failedWith(validateOutput(schema, fields), "step_invalid_output");
  expect(message).toContain("source.url: is required");
  expect(message).toContain("parts.1.id: is required");
  expect(message).not.toContain("parts.0");
});

test("the prompt of the role names the field, and the prompts of its edges may use it", () => {
  expect(formatInstruction(schema)).toContain("summary: <any, required>");
  expect(sampleOf(variantsOf(schema)[0]?.schema)).toMatchObject({ summary: "text" });
});
