// Which renderer draws a result. A tool nobody has heard of is drawn like any other: by the shape of what it gave back.
import type { Child } from "hono/jsx/dom";
import type { ReadResult } from "./read-result.ts";
import type { Renderer } from "./renderers.tsx";

export type Registry = { readonly draw: (result: ReadResult) => { readonly by: string; readonly drawn: Child } };

/** `byTool`: a tool whose results one renderer shall draw before all others are asked. */
export function createRegistry(
  renderers: readonly Renderer[],
  byTool: Readonly<Record<string, Renderer>> = {},
): Registry {
  return {
    draw(result) {
      const own = Object.hasOwn(byTool, result.tool) ? byTool[result.tool] : undefined;
      for (const renderer of own ? [own, ...renderers] : renderers) {
        const drawn = renderer.draw(result);
        if (drawn !== null) return { by: renderer.name, drawn };
      }
      return { by: "none", drawn: null };
    },
  };
}
