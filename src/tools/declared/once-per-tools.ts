// Computes once what depends only on a list of tools, because frozen lists of resolved tools stay the same from turn to turn.
import type { Manifest } from "../../schema/manifest.ts";

export function oncePerTools<T>(compute: (tools: readonly Manifest[]) => T): (tools: readonly Manifest[]) => T {
  const computed = new WeakMap<readonly Manifest[], { readonly value: T }>();
  return (tools) => {
    const known = computed.get(tools);
    if (known) return known.value;
    const value = compute(tools);
    if (Object.isFrozen(tools)) computed.set(tools, { value });
    return value;
  };
}
