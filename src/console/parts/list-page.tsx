// Defines what the pages with a list of cards share: the frame, the list, and the buttons of a card.
import { type Child, type FC, useLayoutEffect } from "hono/jsx/dom";
import type { Polled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, ConfirmButton, Pill } from "./components.tsx";
import { ProblemCard } from "./problem-card.tsx";

/** Sets the title of the page and of the browser window. */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = t().common.appTitle(title);
  }, [title]);
}

type PageProps = {
  readonly title: string;
  readonly lead?: string;
  readonly failure?: Polled<unknown>["failure"];
  readonly children?: Child;
};

export const ListPage: FC<PageProps> = ({ title, lead, failure, children }) => {
  useTitle(title);
  return (
    <div class="inbox">
      <h1>{title}</h1>
      {lead ? <p class="quiet">{lead}</p> : null}
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {children}
    </div>
  );
};

type ListProps<T> = {
  /** The items, or undefined while they are loaded. */
  readonly items: readonly T[] | undefined;
  readonly none: string;
  readonly children: (item: T) => Child;
};

export const CardList = <T,>({ items, none, children }: ListProps<T>) => (
  <div class="contents">
    {items?.length === 0 ? (
      <p key="none" class="quiet">
        {none}
      </p>
    ) : null}
    <ul key="list" class="gate-list">
      {(items ?? []).map(children)}
    </ul>
  </div>
);

export const RemoveButton: FC<{ class?: string; onConfirm: () => void }> = ({ class: name, onConfirm }) => (
  <ConfirmButton
    class={name ?? "button small"}
    label={t().common.remove}
    confirmLabel={t().common.confirmRemove}
    onConfirm={onConfirm}
  />
);

type ToggleProps = { readonly name: string; readonly enabled: boolean; readonly onToggle: () => void };

export const ToggleButton: FC<ToggleProps> = ({ name, enabled, onToggle }) => {
  const action = enabled ? t().common.disable : t().common.enable;
  return (
    <Button class="small" aria-label={t().common.named(action, name)} onClick={onToggle}>
      {action}
    </Button>
  );
};

type HeadProps = ToggleProps & { readonly onRemove: () => void; readonly children?: Child };

/** The first line of a card: its name, whether it is enabled, and the buttons that change that or delete it. */
export const CardHead: FC<HeadProps> = ({ name, enabled, onToggle, onRemove, children }) => (
  <div class="row spread">
    <h2>{name}</h2>
    <span class="row">
      {children}
      <Pill tone={enabled ? "good" : "wait"}>{enabled ? t().common.enabled : t().common.disabled}</Pill>
      <ToggleButton name={name} enabled={enabled} onToggle={onToggle} />
      <RemoveButton onConfirm={onRemove} />
    </span>
  </div>
);
