// Keyboard shortcuts of the whole page: Ctrl+K opens the palette, Ctrl+Enter approves the open gate.
import { useEffect, useState } from "hono/jsx/dom";
import { isDeliberate } from "../gates/approve-guard.ts";

export function useShortcuts(): { readonly paletteOpen: boolean; readonly closePalette: () => void } {
  const [paletteOpen, setPaletteOpen] = useState(false);
  useEffect(() => {
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
  return { paletteOpen, closePalette: () => setPaletteOpen(false) };
}

/** A text in the message field is not lost: it stays there. */
function approveOpenGate(): void {
  if (isDeliberate()) document.querySelector<HTMLButtonElement>("[data-approve]:not(:disabled)")?.click();
}
