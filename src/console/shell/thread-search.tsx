// Searches the threads on the server, and filters them by status and agent.
import { type FC, useRef } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import type { Group } from "../messages/en-shell.ts";
import { t } from "../messages/messages.ts";
import { inputValue } from "../parts/events.ts";
import { GROUPS } from "../parts/state-labels.ts";
import type { OverviewController } from "./overview.ts";

const DEBOUNCE_MS = 250;

export const ThreadSearch: FC<{ overview: OverviewController }> = ({ overview }) => {
  const { search, agents } = useStore(overview.store);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const onText = (q: string): void => {
    if (timer.current) clearTimeout(timer.current);
    timer.current = setTimeout(() => void overview.setSearch({ q: q.trim() }), DEBOUNCE_MS);
  };
  return (
    <search class="thread-search">
      <input
        type="search"
        name="q"
        placeholder={t().nav.search}
        aria-label={t().nav.search}
        autocomplete="off"
        onInput={(event: Event) => onText(inputValue(event))}
      />
      <select
        name="status"
        aria-label={t().nav.status}
        onChange={(event: Event) => void overview.setSearch({ status: inputValue(event) as Group | "" })}
      >
        <option value="">{t().nav.allStates}</option>
        {GROUPS.map((group) => (
          <option key={group} value={group} selected={group === search.status}>
            {t().labels.groups[group]}
          </option>
        ))}
      </select>
      {agents.length > 1 ? (
        <select
          key="agent"
          name="agent"
          aria-label={t().nav.agent}
          onChange={(event: Event) => void overview.setSearch({ agent: inputValue(event) })}
        >
          <option value="">{t().nav.allAgents}</option>
          {agents.map((name) => (
            <option key={name} value={name} selected={name === search.agent}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
    </search>
  );
};
