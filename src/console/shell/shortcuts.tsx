// Handles the keyboard shortcuts of the whole page: Ctrl+K opens the palette, and Ctrl+Enter approves the open gate.
import { type FC, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { approveOpenGate } from "../gates/approve-guard.ts";
import { useKeyDown } from "../parts/events.ts";
import { Palette } from "./palette.tsx";

/** A separate component, so that opening the palette does not re-render the page. */
export const Shortcuts: FC<{ api: Api }> = ({ api }) => {
  /** When the open palette was opened, which identifies it, or 0. */
  const [openPalette, setOpenPalette] = useState(0);
  useKeyDown((event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key.toLowerCase() === "k") {
      if (!document.querySelector("dialog.palette[open]")) setOpenPalette(performance.now());
    } else if (event.key === "Enter" && !event.repeat) approveOpenGate();
    else return;
    event.preventDefault();
  });
  if (openPalette === 0) return null;
  // The browser reports later that a palette was closed. By then, the next one may be open.
  const onClose = (): void => setOpenPalette((current) => (current === openPalette ? 0 : current));
  return <Palette key={openPalette} api={api} onClose={onClose} />;
};
