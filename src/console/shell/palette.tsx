// The command palette: finds threads on the server and pages by name. Opened with Ctrl+K or ⌘K.
import type { FC } from "hono/jsx/dom";
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { HOME, navigate, PAGES, pageHref, threadHref } from "./route.ts";
import { titleOf } from "./thread-rows.ts";

const DEBOUNCE_MS = 150;
const THREADS_SHOWN = 8;

type Entry = { readonly href: string; readonly label: string; readonly kind: string };

export const Palette: FC<{ api: Api; onClose: () => void }> = ({ api, onClose }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [threads, setThreads] = useState<readonly Entry[]>([]);
  const [selected, setSelected] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const timer = setTimeout(async () => {
      const found = await api.list({
        limit: THREADS_SHOWN,
        order: "activity",
        ...(query.trim() ? { q: query.trim() } : {}),
      });
      if (!found.ok) return;
      setThreads(
        found.value.threads.map((row) => ({
          href: threadHref(row.id),
          label: titleOf(row) || t().nav.noGoal,
          kind: t().palette.thread,
        })),
      );
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const entries = [...pageEntries().filter(({ label }) => matches(label, query)), ...threads];
  const open = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    navigate(entry.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setSelected((selected + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === "Enter" && !event.isComposing) open(entries[selected]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={t().palette.title} onClose={onClose} onKeyDown={onKeyDown}>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${selected}`}
        aria-label={t().palette.title}
        placeholder={t().palette.placeholder}
        autocomplete="off"
        onInput={(event: Event) => {
          setQuery((event.target as HTMLInputElement).value);
          setSelected(0);
        }}
      />
      <div id="palette-list" role="listbox" aria-label={t().palette.title}>
        {entries.map((entry, i) => (
          <button
            key={entry.href}
            type="button"
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            class="palette-entry"
            aria-selected={i === selected ? "true" : "false"}
            onClick={() => open(entry)}
          >
            <span>{entry.label}</span> <span class="quiet small">{entry.kind}</span>
          </button>
        ))}
      </div>
    </dialog>
  );
};

const matches = (label: string, query: string): boolean => label.toLowerCase().includes(query.trim().toLowerCase());

const pageEntries = (): readonly Entry[] => [
  { href: HOME, label: t().nav.newThread, kind: t().palette.action },
  ...PAGES.map((page) => ({ href: pageHref(page), label: t().nav[page], kind: t().palette.page })),
];
