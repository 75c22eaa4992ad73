// Shows the command palette: actions of the open thread, pages, and threads found on the server. Ctrl+K or ⌘K opens it.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { inputValue } from "../parts/events.ts";
import { type ThreadAction, threadActionsStore } from "../thread/thread-actions.ts";
import { HOME, navigate, PAGES, pageHref, threadHref } from "./route.ts";
import { findThreads } from "./thread-pages.ts";
import { titleOf } from "./thread-rows.ts";

const DEBOUNCE_MS = 150;
const THREADS_SHOWN = 8;

type Entry = Pick<ThreadAction, "id" | "label" | "confirm" | "run"> & { readonly kind: string };

const linkTo = (href: string, label: string, kind: string): Entry => ({
  id: href,
  label,
  kind,
  run: () => navigate(href),
});

export const Palette: FC<{ api: Api; onClose: () => void }> = ({ api, onClose }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [threads, setThreads] = useState<readonly Entry[]>([]);
  const [selected, setSelected] = useState(0);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useLayoutEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const found = await findThreads(api, query.trim(), THREADS_SHOWN);
      // The response to a later query may have arrived first.
      if (!found.ok || !isCurrent) return;
      setThreads(
        found.value.map((row) => linkTo(threadHref(row.id), titleOf(row) || t().nav.noGoal, t().palette.thread)),
      );
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query]);
  const [actions] = useState(() => actionEntries());
  const [confirming, setConfirming] = useState("");
  const entriesFor = (text: string): readonly Entry[] => [
    ...[...actions, ...pageEntries()].filter(({ label }) => matches(label, text)),
    ...threads,
  ];
  const entries = entriesFor(query);
  const open = (entry: Entry | undefined): void => {
    if (!entry) return;
    if (entry.confirm && confirming !== entry.id) {
      setConfirming(entry.id);
      return;
    }
    // Closing moves the focus back to where it was, and an action may then move it.
    dialog.current?.close();
    entry.run();
  };
  /** Returns the entry to open. Enter may be pressed before the matches of the last letter are shown. */
  const chosen = (): Entry | undefined => {
    const typed = field.current?.value ?? query;
    return typed === query ? entries[selected] : entriesFor(typed)[0];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setSelected((selected + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === "Enter" && !event.isComposing) open(chosen());
    // By default, Escape would only clear the search field.
    else if (event.key === "Escape" && !event.isComposing) dialog.current?.close();
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={t().palette.title} onClose={onClose} onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${selected}`}
        aria-label={t().palette.title}
        placeholder={t().palette.placeholder}
        autocomplete="off"
        onInput={(event: Event) => {
          setQuery(inputValue(event));
          setSelected(0);
        }}
      />
      <div id="palette-list" role="listbox" aria-label={t().palette.title}>
        {entries.map((entry, i) => (
          <button
            key={entry.id}
            type="button"
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            class="palette-entry"
            aria-selected={i === selected ? "true" : "false"}
            onClick={() => open(entry)}
          >
            <span class={entry.id === confirming ? "danger-text" : ""}>
              {entry.id === confirming ? entry.confirm : entry.label}
            </span>{" "}
            <span class="quiet small">{entry.kind}</span>
          </button>
        ))}
      </div>
      {entries.length === 0 ? (
        <p key="nothing" class="quiet small palette-nothing" role="status">
          {t().palette.nothing}
        </p>
      ) : null}
    </dialog>
  );
};

const matches = (label: string, query: string): boolean => label.toLowerCase().includes(query.trim().toLowerCase());

const actionEntries = (): readonly Entry[] =>
  threadActionsStore
    .get()
    .list()
    .map((action) => ({ ...action, kind: t().palette.action }));

const pageEntries = (): readonly Entry[] => [
  linkTo(HOME, t().nav.newThread, t().palette.action),
  ...PAGES.map((page) => linkTo(pageHref(page), t().nav[page], t().palette.page)),
];
