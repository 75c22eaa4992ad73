// Tabs with the keys people know: arrows, Home and End.
import type { FC } from "hono/jsx/dom";

export type Tab = { readonly id: string; readonly label: string };
type TabsProps = { readonly tabs: readonly Tab[]; readonly picked: string; readonly onPick: (id: string) => void };

export const PANEL_ID = "panel";
export const tabId = (id: string): string => `tab-${id}`;

export const Tabs: FC<TabsProps> = ({ tabs, picked, onPick }) => {
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === picked);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const target = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!target) return;
    event.preventDefault();
    onPick(target.id);
    document.getElementById(tabId(target.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="What to show" onKeyDown={move}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          id={tabId(id)}
          type="button"
          role="tab"
          class="tab"
          aria-selected={id === picked ? "true" : "false"}
          aria-controls={PANEL_ID}
          tabIndex={id === picked ? 0 : -1}
          onClick={() => onPick(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
};
