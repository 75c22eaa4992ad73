// Handles the keyboard shortcuts of the whole page: Ctrl+K opens the palette, and Ctrl+Enter approves the open gate.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { approveOpenGate } from "../gates/approve-guard.ts";
import { Palette } from "./palette.tsx";

/** A separate component, so that opening the palette does not re-render the page. */
export const Shortcuts: FC<{ api: Api }> = ({ api }) => {
  const [paletteOpen, setPaletteOpen] = useState(false);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      if (event.key.toLowerCase() === "k") setPaletteOpen(true);
      else if (event.key === "Enter" && !event.repeat) approveOpenGate();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return paletteOpen ? <Palette api={api} onClose={() => setPaletteOpen(false)} /> : null;
};
