// The manifests of all tools by name, without handlers. A toolset is active by default, with a part, or on request.
import { deepFreeze } from "../schema/json/deep-freeze.ts";
import { Manifest, PLAN_TOOL } from "../schema/manifest.ts";
import { fail, ok, type Result } from "../schema/problem.ts";

/** With `needs`, a toolset is active only on hosts with that part. */
export type ToolsetActivation = "default" | "on_request" | { readonly needs: string };

/** A toolset that is not listed here is active by default, because a registered tool is meant to be offered. */
const TOOLSETS: Readonly<Record<string, ToolsetActivation>> = {
  crew: { needs: "crew" },
  // Offers a tool under the name that agents of another system know. channel_send_text does the same.
  weixin_desktop: "on_request",
  // Other names for existing tools. A second row in the prompt is useful only for those who request it.
  aliases: "on_request",
};

export const activationOf = (toolset: string): ToolsetActivation =>
  Object.hasOwn(TOOLSETS, toolset) ? (TOOLSETS[toolset] ?? "default") : "default";

/** External manifests may omit these fields; all others are required. */
const ExternalManifest = Manifest.extend({
  streaming: Manifest.shape.streaming.default(false),
  tags: Manifest.shape.tags.default([]),
});

export type Catalog = {
  /** Replaces a manifest of the same name and origin, and refuses a name that another origin has taken. */
  readonly register: (manifest: unknown) => Result<Manifest>;
  /** Returns false if there was no tool of this name. */
  readonly remove: (name: string) => boolean;
  readonly get: (name: string) => Manifest | null;
  readonly all: () => readonly Manifest[];
};

export function createCatalog(manifests: readonly unknown[] = []): Catalog {
  const byName = new Map<string, Manifest>();
  /** Stays the same array until the catalog changes, so that values derived from it can be cached. */
  let list: readonly Manifest[] | null = null;
  const all = (): readonly Manifest[] => {
    list ??= Object.freeze([...byName.values()]);
    return list;
  };
  const register = (raw: unknown): Result<Manifest> => {
    const manifest = isTrusted(raw) ? ok(raw as Manifest) : checkManifest(raw);
    if (!manifest.ok) return manifest;
    const { name, origin } = manifest.value;
    if (name === PLAN_TOOL)
      return fail("tool_name_taken", `${name} is reserved: clients of other protocols see plans under this name.`);
    const existing = byName.get(name);
    // An external tool with the name of a built-in one must not receive its calls.
    if (existing && existing.origin !== origin)
      return fail(
        "tool_name_taken",
        `${name} is a tool of origin ${existing.origin}; one of origin ${origin} cannot have that name.`,
      );
    byName.set(name, manifest.value);
    list = null;
    return manifest;
  };
  for (const manifest of manifests) {
    const registered = register(manifest);
    if (!registered.ok) throw new Error(registered.problem.message);
  }
  return {
    register,
    remove(name) {
      list = null;
      return byName.delete(name);
    },
    get: (name) => byName.get(name) ?? null,
    all,
  };
}

/** Manifests that were validated when their bundle was built, so that they are not validated again. They are frozen. */
const trusted = new WeakSet<object>();

export function trustManifest(manifest: Manifest): Manifest {
  trusted.add(manifest);
  return deepFreeze(manifest);
}

export const isTrusted = (manifest: unknown): boolean => trusted.has(manifest as object);

function checkManifest(raw: unknown): Result<Manifest> {
  const parsed = ExternalManifest.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join(".") || "manifest";
    return fail("manifest_invalid", `${field}: ${issue?.message ?? "does not fit"}`, { field });
  }
  // A database write must not be repeated without a key or a check of what happened.
  if (parsed.data.scope === "DB_WRITE" && parsed.data.permission !== "READ" && parsed.data.effect === "pure")
    return fail("manifest_invalid", "effect: a write to a database is keyed or unkeyed, not pure", { field: "effect" });
  if (!isObjectSchema(parsed.data.input))
    return fail("manifest_invalid", "input: not a JSON Schema of an object", { field: "input" });
  // Freezes the manifest, because caches of it, such as its text in the prompt, stay valid while it is registered.
  return ok(deepFreeze(parsed.data));
}

/** Also true for a union of object schemas, because arguments are an object in every call format. */
function isObjectSchema(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, properties, anyOf, oneOf } = schema as Record<string, unknown>;
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.length > 0 && choices.every(isObjectSchema);
  return type === "object" && (properties === undefined || (typeof properties === "object" && properties !== null));
}
