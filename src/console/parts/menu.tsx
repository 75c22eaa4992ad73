// Shows a menu of further actions. Escape, a click elsewhere and choosing an action close it.
import { type Child, type FC, useLayoutEffect, useRef } from "hono/jsx/dom";
import { useKeyDown } from "./events.ts";

export const Menu: FC<{ label: string; children?: Child }> = ({ label, children }) => {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };
  useKeyDown((event) => {
    if (event.key !== "Escape" || !menu.current?.open) return;
    close();
    menu.current.querySelector("summary")?.focus();
  });
  useLayoutEffect(() => {
    const onClick = (event: Event): void => {
      const target = event.target as Element;
      // A button that asks for a confirmation needs a second click, so the menu stays open.
      const isChoice = target.closest("button.menu-item:not([data-confirm])") !== null;
      if (isChoice || !menu.current?.contains(target)) close();
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
  return (
    <details class="menu" ref={menu}>
      <summary class="button small" aria-label={label} title={label}>
        <span aria-hidden="true">⋯</span>
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
};
