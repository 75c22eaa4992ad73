// Defines what an operator can add to a host: toolkits, tools, hooks and agents. The same object works on every host.
import * as z from "zod";
import { AgentConfig, type ConfigInput, PARSED_ONCE } from "../../schema/config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Tool } from "../../tools/define-tool.ts";
import type { Hook } from "../../tools/hooks.ts";
import type { Toolkit } from "../../tools/toolkit.ts";

export type Extension = {
  readonly toolkits?: readonly Toolkit[];
  /** Tools for every agent whose configuration does not list its tools. */
  readonly tools?: readonly Tool[];
  /** Hooks that run around every call, between the call log and the redaction of secrets. */
  readonly hooks?: readonly Hook[];
  /** Agents that are added to those of the configuration. */
  readonly agents?: ConfigInput["agents"];
  /**
   * Set to false to declare that the extension starts no processes. By default it is assumed to start some, and a
   * server without keys then requires its local token for approvals.
   */
  readonly starts_processes?: boolean;
};

const isFunction = (value: unknown): boolean => typeof value === "function";

/** An extension is a program, so the compiler has already checked the rest. */
const ExtensionShape = z.object({
  toolkits: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "must have lower-case letters, digits, - and _"),
        parts: z.array(z.string()),
        offered: z.enum(["always", "on request"]),
        tools: z.custom(isFunction, "must be a function"),
      }),
    )
    .optional(),
  tools: z
    .array(z.looseObject({ manifest: z.looseObject({ name: z.string() }), run: z.custom(isFunction, "is missing") }))
    .optional(),
  hooks: z.array(z.looseObject({})).optional(),
  agents: z.record(z.string(), AgentConfig).optional(),
  starts_processes: z.boolean().optional(),
});

const FIELDS = Object.keys(ExtensionShape.shape);

/** Validates an extension, given as a module or its default export. Error messages refer to it by `name`. */
export function readExtension(value: unknown, name: string): Result<Extension> {
  const module = (value ?? {}) as Record<string, unknown>;
  const source = FIELDS.some((field) => field in module) ? module : ((module.default ?? {}) as Record<string, unknown>);
  if (!FIELDS.some((field) => field in source))
    return fail("config_invalid", `${name}: exports none of ${FIELDS.join(", ")}`);
  const read = ExtensionShape.safeParse(source);
  if (!read.success) {
    const issue = read.error.issues[0];
    return fail("config_invalid", `${name}: ${issue?.path.join(".") || "export"}: ${issue?.message}`);
  }
  return ok(Object.fromEntries(FIELDS.flatMap((key) => (key in source ? [[key, source[key]]] : []))) as Extension);
}

export const mayStartProcesses = ({ tools, toolkits, hooks, starts_processes }: Extension): boolean =>
  starts_processes !== false && [tools, toolkits, hooks].some((list) => (list?.length ?? 0) > 0);

type Agents = Readonly<Record<string, AgentConfig>>;

/** Duplicate names are refused, because one agent would replace the other. */
export function mergeAgents(configured: Agents, extensions: readonly Extension[]): Result<Record<string, AgentConfig>> {
  const agents: Record<string, AgentConfig> = { ...configured };
  for (const [name, agent] of extensions.flatMap((extension) => Object.entries(extension.agents ?? {}))) {
    if (Object.hasOwn(agents, name))
      return fail("config_invalid", `agents.${name}: an extension also defines this agent`);
    agents[name] = AgentConfig.parse(agent, PARSED_ONCE);
  }
  return ok(agents);
}
