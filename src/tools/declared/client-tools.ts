// Handles tools that the caller declares and runs itself: checks their declarations and converts them to manifests.
import * as z from "zod";
import type { Hash } from "../../ports/hash.ts";
import { checkableSchema } from "../../schema/json/checkable-schema.ts";
import { PLAN_TOOL } from "../../schema/manifest.ts";
import { type Failed, fail, type Problem, type ProblemCode } from "../../schema/problem.ts";
import type { ClientTool } from "../../schema/protocols/client-tool.ts";
import { createCatalog } from "../catalog.ts";
import { defineTool, type Tool } from "../define-tool.ts";
import { contentVersion } from "./content-version.ts";

export type DeclaredTool = Tool & { readonly declaration: ClientTool };

/** The version changes with the declaration, so that approving a call of an earlier declaration fails with `tool_changed`. */
export function declaredTool(hash: Hash, declaration: ClientTool): DeclaredTool {
  const { name, description, effect = "unkeyed", output_trust = "untrusted", outward = true } = declaration;
  const { manifest, ...tool } = defineTool(
    {
      name,
      description,
      input: z.fromJSONSchema(checkableSchema(declaration.input) as z.core.JSONSchema.JSONSchema),
      version: contentVersion(hash, declaration),
      origin: "external",
      toolset: "client",
      category: "client",
      permission: effect === "pure" ? "READ" : "EXTERNAL",
      // The client runs the tool in front of its user, so the tool needs no confirmation by default. Taint and hooks may still require one.
      requires_confirmation: false,
      runs_in_client: true,
      subagent_allowed: false,
      effect,
      output_trust,
      outward,
    },
    () => {
      throw new Error("a tool of the client does not run here");
    },
  );
  return { ...tool, manifest: { ...manifest, input: declaration.input }, declaration };
}

/** The message of a problem begins with the name of its field. */
const fieldAndReason = ({ details, message }: Problem): readonly [field: string, why: string] => {
  const field = String(details?.field ?? "input");
  return [field, message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message];
};

/** Null if all declarations are usable and none has the name of another tool. */
export function checkDeclarations(
  hash: Hash,
  declarations: readonly ClientTool[],
  isTaken: (name: string) => boolean,
): Failed | null {
  const catalog = createCatalog();
  for (const [i, declaration] of declarations.entries()) {
    const refuse = (code: ProblemCode, field: string, why: string): Failed => {
      const path = `client_tools.${i}.${field}`;
      return fail(code, `${path}: ${why}`, { field: path });
    };
    const { name } = declaration;
    if (isTaken(name) || name === PLAN_TOOL || catalog.get(name))
      return refuse("tool_name_taken", "name", `there already is a tool named ${name}.`);
    try {
      const registered = catalog.register(declaredTool(hash, declaration).manifest);
      if (!registered.ok) return refuse("request_invalid", ...fieldAndReason(registered.problem));
    } catch (error) {
      const why = error instanceof Error ? error.message : "it cannot be read";
      return refuse("request_invalid", "input", `not a JSON Schema that can be checked: ${why}`);
    }
  }
  return null;
}
