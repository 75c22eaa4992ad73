// Reports a tool name that does not exist, with similar names. Disabled tools count as known, because every turn decides about them again.
import type { CreateInput } from "../schema/input.ts";
import { type Failed, fail } from "../schema/problem.ts";
import { nearestNames } from "../tools/nearest-names.ts";
import type { Runtime } from "../turn/runtime.ts";

export function unknownToolProblem(rt: Runtime, name: string, field?: string): Failed {
  const known = rt.toolbox.manifests().map((manifest) => manifest.name);
  const nearest = nearestNames(name, known);
  const named = `There is no tool named ${JSON.stringify(name.slice(0, 80))}`;
  const suggestion = nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : "";
  const message = `${field ? `${field}: ` : ""}${named}${suggestion}.`;
  return fail("tool_unknown", message, { ...(field ? { field } : {}), nearest });
}

/** Names of disabled tools count too: a misspelled name would leave enabled what the caller wanted to disable. */
export function validateToolNames(rt: Runtime, { tools = {}, auto_approve = [] }: CreateInput): Failed | null {
  const named = [
    ...Object.keys(tools).map((name) => ({ name, field: "tools" })),
    ...auto_approve.map((name) => ({ name, field: "auto_approve" })),
  ];
  const unknown = named.find(({ name }) => !rt.toolbox.catalog.get(name));
  return unknown ? unknownToolProblem(rt, unknown.name, unknown.field) : null;
}

/** A toolkit that this host lacks counts as unknown, too, because a thread that requests it could not do its work. */
export function validateToolkits(rt: Runtime, { toolkits = [] }: CreateInput): Failed | null {
  const known = rt.toolbox.toolkits().map(({ name }) => name);
  const unknown = toolkits.find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const message = `toolkits: this host has no toolkit named ${JSON.stringify(unknown)}; it has: ${known.join(", ")}.`;
  return fail("request_invalid", message, { field: "toolkits" });
}
