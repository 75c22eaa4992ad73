// Tools that a client of another protocol declares. Names follow other rules there, so each gets a name in snake_case.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ClientTool, ClientTools } from "../../schema/protocols/client-tool.ts";

export type ForeignTool = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: unknown;
};

/** Inside the JSON Schema, for keys with the scope `confirm`: `"x-pawl": {"output_trust": "trusted"}`. */
const Extension = ClientTool.pick({ effect: true, output_trust: true, outward: true, expires_in_s: true });

export const toolNameOf = (foreign: string): string => {
  const snake = foreign
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_");
  return (/^[a-z]/.test(snake) ? snake : `t_${snake}`).slice(0, 64);
};

export function clientToolsOf(tools: readonly ForeignTool[]): Result<ClientTools> {
  const declared: unknown[] = [];
  for (const { name, description, parameters } of tools) {
    const { "x-pawl": extension = {}, ...schema } = (parameters ?? {}) as Record<string, unknown>;
    const more = Extension.safeParse(extension);
    if (!more.success) return fail("request_invalid", `tools.${name}.x-pawl: is not valid.`, { field: "tools" });
    const input = Object.keys(schema).length > 0 ? schema : { type: "object", properties: {} };
    declared.push({ name: toolNameOf(name), client_name: name, description: description || name, input, ...more.data });
  }
  const checked = z.safeParse(ClientTools, declared);
  if (checked.success) return ok(checked.data);
  const issue = checked.error.issues[0];
  return fail("request_invalid", `tools.${issue?.path.join(".") ?? ""}: ${issue?.message}`, { field: "tools" });
}
