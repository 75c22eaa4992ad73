// Selects the renderer for a result. Unknown tools are rendered by the shape of their result.
import type { Child } from "hono/jsx/dom";
import type { ParsedResult } from "./parse-result.ts";
import type { Renderer } from "./renderers.tsx";

export type Registry = {
  readonly render: (result: ParsedResult) => { readonly rendererName: string; readonly content: Child };
};

/** Renderers in `byTool` take precedence for their tools. */
export function createRegistry(
  renderers: readonly Renderer[],
  byTool: Readonly<Record<string, Renderer>> = {},
): Registry {
  return {
    render(result) {
      const toolRenderer = Object.hasOwn(byTool, result.tool) ? byTool[result.tool] : undefined;
      for (const renderer of toolRenderer ? [toolRenderer, ...renderers] : renderers) {
        const content = renderer.render(result);
        if (content !== null) return { rendererName: renderer.name, content };
      }
      return { rendererName: "none", content: null };
    },
  };
}
