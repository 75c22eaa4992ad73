// Reads the tools that a client of another protocol declares. Other protocols allow other characters in names, so each
// tool gets a name in snake_case.
import * as z from "zod";
import { type Failed, ok, type Result } from "../../schema/problem.ts";
import { ClientTool, ClientTools } from "../../schema/protocols/client-tool.ts";
import { invalidField, invalidValue } from "./problems.ts";

type ForeignTool = {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly [field: string]: unknown;
};

/** `schema_field` is the protocol's name for the JSON Schema of a tool, which refusals mention. */
export type DeclaredTools = { readonly tools: ClientTools; readonly schema_field: string };

/**
 * Fields that a client may set inside the JSON Schema of a tool, such as `"x-pawl": {"output_trust": "trusted"}`. They
 * may need the scope `confirm`.
 */
const Extension = ClientTool.pick({ effect: true, output_trust: true, outward: true, expires_in_s: true });

export const toolNameOf = (foreign: string): string => {
  const snake = foreign
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_");
  return (/^[a-z]/.test(snake) ? snake : `t_${snake}`).slice(0, 64);
};

export function declaredTools(
  tools: readonly ForeignTool[] | null | undefined,
  schema_field: string,
): Result<DeclaredTools | undefined> {
  if (!tools) return ok(undefined);
  const declared: unknown[] = [];
  for (const [i, tool] of tools.entries()) {
    const { name = "", description, [schema_field]: schema } = tool;
    const path = `client_tools.${i}.input`;
    const object = z.record(z.string(), z.unknown()).safeParse(schema ?? {});
    if (!object.success) return withRequestField(invalidField(path, "not a JSON Schema of an object"), schema_field);
    const { "x-pawl": extension = {}, ...rest } = object.data;
    const more = Extension.safeParse(extension);
    if (!more.success) return withRequestField(invalidValue(more.error, `${path}.x-pawl`), schema_field);
    const input = Object.keys(rest).length > 0 ? rest : { type: "object", properties: {} };
    declared.push({ name: toolNameOf(name), client_name: name, description: description || name, input, ...more.data });
  }
  const checked = z.safeParse(ClientTools, declared);
  if (checked.success) return ok({ tools: checked.data, schema_field });
  return withRequestField(invalidValue(checked.error, "client_tools"), schema_field);
}

/** Names the field of a refusal as in the client's request. */
export function withRequestField({ problem }: Failed, schema_field: string): Failed {
  const field = problem.details?.field;
  const [, rest] = /^client_tools(.*)$/.exec(typeof field === "string" ? field : "") ?? [];
  if (typeof field !== "string" || rest === undefined) return { ok: false, problem };
  const there = `tools${rest.replace(/^(\.\d+)\.client_name/, "$1.name").replace(/^(\.\d+)\.input/, `$1.${schema_field}`)}`;
  const message = problem.message.startsWith(field)
    ? `${there}${problem.message.slice(field.length)}`
    : problem.message;
  return { ok: false, problem: { ...problem, message, details: { ...problem.details, field: there } } };
}
