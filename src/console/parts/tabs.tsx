// Shows tabs with standard keyboard navigation: arrows, Home and End.
import type { FC } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";

export type Tab = { readonly id: string; readonly label: string };
type TabsProps = { readonly tabs: readonly Tab[]; readonly selected: string; readonly onSelect: (id: string) => void };

export const PANEL_ID = "panel";
export const tabId = (id: string): string => `tab-${id}`;

export const Tabs: FC<TabsProps> = ({ tabs, selected, onSelect }) => {
  const handleKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const target = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!target) return;
    event.preventDefault();
    onSelect(target.id);
    document.getElementById(tabId(target.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={t().thread.panels} onKeyDown={handleKeyDown}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          id={tabId(id)}
          type="button"
          role="tab"
          class="tab"
          aria-selected={id === selected ? "true" : "false"}
          aria-controls={PANEL_ID}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
};
