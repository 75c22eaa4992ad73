// Shows a menu of further actions. Escape, a click elsewhere and choosing an action close it.
import { type Child, type FC, useLayoutEffect, useRef } from "hono/jsx/dom";

export const Menu: FC<{ label: string; children?: Child }> = ({ label, children }) => {
  const menu = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    const close = (focus: boolean): void => {
      if (!menu.current?.open) return;
      menu.current.open = false;
      if (focus) menu.current.querySelector("summary")?.focus();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape") close(true);
    };
    const onClick = (event: Event): void => {
      const target = event.target as Element;
      // A button that asks for a confirmation needs a second click, so the menu stays open.
      const isChoice = target.closest("button.menu-item:not([data-confirm])") !== null;
      if (isChoice || !menu.current?.contains(target)) close(false);
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("click", onClick);
    };
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
