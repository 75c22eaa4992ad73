// Defines tools without their own renderer, one per result shape.
import { z } from "zod";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const RESULTS: Readonly<Record<string, string>> = {
  count_rows: JSON.stringify([
    { table: "tasks", rows: 23 },
    { table: "courses", rows: 7 },
  ]),
  show_settings: JSON.stringify({ theme: { name: "calm" }, sizes: [1, 2] }),
  show_patch: "--- a/plan.txt\n+++ b/plan.txt\n@@ -1,2 +1,2 @@\n same\n-old line\n+new line\n",
  take_picture: JSON.stringify({ mime_type: "image/png", data: PIXEL, alt: "One pixel" }),
  say_hello: "Hello, world.",
};

export const EXPECTED_RENDERERS: Readonly<Record<string, string>> = {
  count_rows: "table",
  show_settings: "json",
  show_patch: "diff",
  take_picture: "image",
  say_hello: "text",
};

export const resultTools: readonly Tool[] = Object.entries(RESULTS).map(([name, text]) =>
  defineTool({ name, description: `Returns ${name}.`, input: z.object({}), output: z.string() }, () => text),
);

export const resultToolCalls = Object.keys(RESULTS).map((name) => ({
  action: "continue",
  speak: `Now ${name}.`,
  tool_call: { name, arguments: {} },
}));
