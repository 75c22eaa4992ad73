// Which renderer draws a result. A tool nobody has heard of is drawn like any other: by the shape of what it gave back.
import type { Child } from "hono/jsx/dom";
import type { ParsedResult } from "./parse-result.ts";
import type { Renderer } from "./renderers.tsx";

export type Registry = {
  readonly render: (result: ParsedResult) => { readonly rendererName: string; readonly content: Child };
};

/** `byTool`: a tool whose results one renderer shall draw before all others are asked. */
export function createRegistry(
  renderers: readonly Renderer[],
  byTool: Readonly<Record<string, Renderer>> = {},
): Registry {
  return {
    render(result) {
      const own = Object.hasOwn(byTool, result.tool) ? byTool[result.tool] : undefined;
      for (const renderer of own ? [own, ...renderers] : renderers) {
        const drawn = renderer.render(result);
        if (drawn !== null) return { rendererName: renderer.name, content: drawn };
      }
      return { rendererName: "none", content: null };
    },
  };
}
