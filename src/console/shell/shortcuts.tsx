// Handles the keyboard shortcuts of the whole page: Ctrl+K opens the palette, and Ctrl+Enter approves the open gate.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { approveOpenGate } from "../gates/approve-guard.ts";
import { Palette } from "./palette.tsx";

/** A separate component, so that opening the palette does not re-render the page. */
export const Shortcuts: FC<{ api: Api }> = ({ api }) => {
  /** The number of the palette that is open, or 0. */
  const [openPalette, setOpenPalette] = useState(0);
  useLayoutEffect(() => {
    let opened = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      if (event.key.toLowerCase() === "k") {
        if (!document.querySelector("dialog.palette[open]")) setOpenPalette(++opened);
      } else if (event.key === "Enter" && !event.repeat) approveOpenGate();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  if (openPalette === 0) return null;
  // The browser reports later that a palette was closed. By then, the next one may be open.
  const onClose = (): void => setOpenPalette((current) => (current === openPalette ? 0 : current));
  return <Palette key={openPalette} api={api} onClose={onClose} />;
};
