// The tools in the prompt: description, parameters and result, with one example call. Sorted and stable.
import type { Manifest } from "../schema/manifest.ts";
import { oneLine } from "./cut.ts";
import { describeType, isRequired, propertiesOf, sampleValue } from "./schema-text.ts";

const DESCRIPTION_CHARS = 500;
const PARAMETER_CHARS = 200;
const SAMPLE_CHARS = 240;

const PERMISSION_TEXT: Record<Manifest["permission"], string> = {
  READ: "reads",
  WRITE: "changes something",
  EXTERNAL: "reaches outside",
};

/** Sorted by UTF-16 units, not by locale: the same bytes on every machine. */
export const sortedTools = (tools: readonly Manifest[]): readonly Manifest[] =>
  [...tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

export function renderToolTable(tools: readonly Manifest[]): string {
  if (tools.length === 0) return "# Tools\nThere are no tools in this thread.";
  const intro = "# Tools\nParameters are written as name (required or optional, type: allowed values).";
  return [intro, ...sortedTools(tools).map(renderTool)].join("\n\n");
}

function renderTool(tool: Manifest): string {
  const confirms = tool.requires_confirmation ? " (a person confirms)" : "";
  const parameters = propertiesOf(tool.input).map(([name, schema]) => {
    const need = isRequired(tool.input, name) ? "required" : "optional";
    const description = typeof schema.description === "string" ? oneLine(schema.description, PARAMETER_CHARS) : "";
    return `- ${name} (${need}, ${describeType(schema, tool.input)})${description ? `: ${description}` : ""}`;
  });
  return [
    `## ${tool.name}: ${PERMISSION_TEXT[tool.permission]}${confirms}`,
    oneLine(tool.description, DESCRIPTION_CHARS),
    ...(parameters.length > 0 ? ["Parameters:", ...parameters] : ["Parameters: none"]),
    `Returns: ${returnSample(tool)}`,
    `Example: "tool_call": ${JSON.stringify(exampleCall(tool))}`,
  ].join("\n");
}

function returnSample(tool: Manifest): string {
  const sample = tool.examples.find((example) => example.result !== null)?.result;
  if (sample) return oneLine(sample, SAMPLE_CHARS);
  if (tool.asks) return "the answer of the user";
  if (!tool.output) return "text";
  const typeText = describeType(tool.output, tool.output);
  return oneLine(typeText === "string" ? "text" : typeText, SAMPLE_CHARS);
}

export function exampleCall(tool: Manifest): { readonly name: string; readonly arguments: unknown } {
  return { name: tool.name, arguments: tool.examples[0]?.arguments ?? sampleValue(tool.input, tool.input) ?? {} };
}
