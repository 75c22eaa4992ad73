// Defines small shared components: pills, disclosures, confirmation buttons, and text that reveals hidden characters.
import type { JSX } from "hono/jsx";
import { type Child, type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { formatNumber } from "./format.ts";
import { compactJson, revealHidden, revealJson, type TextSegment, visibleJson } from "./reveal-hidden.ts";
import type { Tone } from "./state-labels.ts";

export const Pill: FC<{ tone: Tone; children?: Child }> = ({ tone, children }) => (
  <span class={`pill pill-${tone}`}>{children}</span>
);

type ButtonProps = JSX.IntrinsicElements["button"];

/** A button that does not submit a form unless `type` says so. */
export const Button: FC<ButtonProps> = ({ class: name, children, ...attributes }) => (
  <button type="button" class={`button ${name ?? ""}`} {...attributes}>
    {children}
  </button>
);

export const TextButton: FC<ButtonProps> = ({ children, ...attributes }) => (
  <button type="button" class="link" {...attributes}>
    {children}
  </button>
);

export const Fact: FC<{ label: string; children?: Child }> = ({ label, children }) => (
  <div class="contents">
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** A collapsible section that renders its content only while open. */
export const Disclosure: FC<{ label: Child; class?: string; open?: boolean; children: () => Child }> = (props) => {
  const [open, setOpen] = useState(props.open ?? false);
  return (
    <details
      class={`disclosure ${props.class ?? ""}`}
      open={open}
      onToggle={(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{props.label}</summary>
      {open ? <div class="disclosure-body">{props.children()}</div> : null}
    </details>
  );
};

export const VisibleText: FC<{ text: string }> = ({ text }) => <TextSegments parts={revealHidden(text)} />;

export const VisibleJson: FC<{ value: unknown; compact?: boolean }> = ({ value, compact }) => (
  <TextSegments parts={revealJson(compact ? compactJson(value) : visibleJson(value))} />
);

const TextSegments: FC<{ parts: readonly TextSegment[] }> = ({ parts }) => (
  <>
    {parts.map((part, i) =>
      part.hidden ? (
        <mark key={i} class="hidden-char" title={t().common.hiddenCharacter}>
          {part.text}
        </mark>
      ) : (
        part.text
      ),
    )}
  </>
);

const CONFIRM_TIMEOUT_MS = 4000;

/** A button for actions that cannot be undone. The first click asks, and the second confirms. */
export const ConfirmButton: FC<{ label: string; confirmLabel: string; class?: string; onConfirm: () => void }> = (
  props,
) => {
  const [confirming, setConfirming] = useState(false);
  useLayoutEffect(() => {
    if (!confirming) return;
    const timer = setTimeout(() => setConfirming(false), CONFIRM_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [confirming]);
  return (
    <button
      type="button"
      data-confirm="true"
      class={`${props.class ?? "button"} ${confirming ? "danger" : ""}`}
      onClick={() => {
        if (confirming) props.onConfirm();
        setConfirming(!confirming);
      }}
    >
      {confirming ? props.confirmLabel : props.label}
    </button>
  );
};

/** Makes a scrollable element focusable, so that it can be scrolled with the keyboard. */
export const SCROLLABLE = { tabIndex: 0 } as const;

export const Code: FC<{ class?: string; children?: Child }> = ({ class: name, children }) => (
  <pre class={name ?? ""} {...SCROLLABLE}>
    {children}
  </pre>
);

const COLLAPSED_CHARS = 1600;

/** Collapses long text to its beginning, with a button to show all of it. */
export const LongText: FC<{ text: string; class?: string }> = ({ text, class: name }) => {
  const [expanded, setExpanded] = useState(false);
  const long = text.length > COLLAPSED_CHARS;
  return (
    <div class={name ?? "mono-block"}>
      <Code>
        <VisibleText text={long && !expanded ? text.slice(0, COLLAPSED_CHARS) : text} />
      </Code>
      {long ? (
        <TextButton onClick={() => setExpanded(!expanded)}>
          {expanded ? t().common.showLess : t().common.showAll(formatNumber(text.length))}
        </TextButton>
      ) : null}
    </div>
  );
};

/** Returns the current time, updated at an interval, for countdowns and labels such as "5 min ago". */
export function useNow(interval_ms: number): number {
  const [now, setNow] = useState(Date.now());
  useLayoutEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval_ms);
    return () => clearInterval(timer);
  }, [interval_ms]);
  return now;
}

const WIDE_QUERY = "(min-width: 1100px)";

/** Reports whether two columns fit. The width must match the breakpoint in thread.css. */
export function useIsWide(): boolean {
  const [wide, setWide] = useState(matchMedia(WIDE_QUERY).matches);
  useLayoutEffect(() => {
    const query = matchMedia(WIDE_QUERY);
    const change = (): void => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return wide;
}

/** The logo: a ratchet wheel with its pawl, the latch that lets it turn in one direction only. */
export const Logo: FC = () => (
  <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
    <path
      class="brand-wheel"
      d="M12 5.2l1.5-2 1 2.6 2.4-.9.1 2.7 2.6.2-.8 2.5 2.4 1-1.6 1.9 1.8 1.9-2.4 1.2.9 2.4-2.6.3.1 2.6-2.5-.7-.9 2.5-2-1.7-2 1.7-.9-2.5-2.5.7.1-2.6-2.6-.3.9-2.4-2.4-1.2 1.8-1.9L4 9.8l2.4-1"
    />
    <circle class="brand-hub" cx="12" cy="13" r="2.6" />
    <path class="brand-pawl" d="M3 3.5l7.2 2.6" />
  </svg>
);
