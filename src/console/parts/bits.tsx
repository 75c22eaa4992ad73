// Small pieces that many views use: pills, folds, buttons that ask twice, text with its hidden characters shown.
import type { Child, FC } from "hono/jsx/dom";
import { useEffect, useState } from "hono/jsx/dom";
import { briefJson, type Part, reveal, revealJson, visibleJson } from "./reveal.ts";
import type { Tone } from "./state-words.ts";

export const Pill: FC<{ tone: Tone; children?: Child }> = ({ tone, children }) => (
  <span class={`pill pill-${tone}`}>{children}</span>
);

/** A fold that builds its content only once it was opened. */
export const Fold: FC<{ label: Child; class?: string; open?: boolean; children: () => Child }> = (props) => {
  const [open, setOpen] = useState(props.open ?? false);
  return (
    <details
      class={`fold ${props.class ?? ""}`}
      open={open}
      onToggle={(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{props.label}</summary>
      {open ? <div class="fold-body">{props.children()}</div> : null}
    </details>
  );
};

/** Text as it was written, every hidden character as a marked escape. */
export const Visible: FC<{ text: string }> = ({ text }) => <Parts parts={reveal(text)} />;

export const VisibleJson: FC<{ value: unknown; brief?: boolean }> = ({ value, brief }) => (
  <Parts parts={revealJson(brief ? briefJson(value) : visibleJson(value))} />
);

const Parts: FC<{ parts: readonly Part[] }> = ({ parts }) => (
  <>
    {parts.map((part, i) =>
      part.hidden ? (
        <mark key={i} class="hidden-char" title="a character that cannot be seen">
          {part.text}
        </mark>
      ) : (
        part.text
      ),
    )}
  </>
);

const ASKING_MS = 4000;

/** For what cannot be undone: the first press asks, the second one does it. */
export const SureButton: FC<{ label: string; sure: string; class?: string; onSure: () => void }> = (props) => {
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (!asking) return;
    const timer = setTimeout(() => setAsking(false), ASKING_MS);
    return () => clearTimeout(timer);
  }, [asking]);
  return (
    <button
      type="button"
      class={`${props.class ?? "button"} ${asking ? "danger" : ""}`}
      onClick={() => {
        if (asking) props.onSure();
        setAsking(!asking);
      }}
    >
      {asking ? props.sure : props.label}
    </button>
  );
};

/** Scrolls, so the keyboard has to get there. */
export const SCROLLS = { tabIndex: 0 } as const;

/** Text that keeps its lines: arguments, messages, what a tool printed. */
export const Code: FC<{ class?: string; children?: Child }> = ({ class: name, children }) => (
  <pre class={name ?? ""} {...SCROLLS}>
    {children}
  </pre>
);

const LONG_CHARS = 1600;

/** Long text is folded to its beginning; nothing is lost, it only does not push everything else away. */
export const LongText: FC<{ text: string; class?: string }> = ({ text, class: name }) => {
  const [all, setAll] = useState(false);
  const long = text.length > LONG_CHARS;
  return (
    <div class={name ?? "mono-block"}>
      <Code>
        <Visible text={long && !all ? text.slice(0, LONG_CHARS) : text} />
      </Code>
      {long ? (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      ) : null}
    </div>
  );
};

/** The time now, again every so often: for countdowns and "5 min ago". */
export function useNow(every_ms: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every_ms);
    return () => clearInterval(timer);
  }, [every_ms]);
  return now;
}

const WIDE = "(min-width: 1100px)";

/** Is there room for two columns? The same width as in the style. */
export function useWide(): boolean {
  const [wide, setWide] = useState(matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = (): void => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return wide;
}

/** A toothed wheel and the latch that lets it turn one way only. */
export const Mark: FC = () => (
  <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
    <path
      class="brand-wheel"
      d="M12 5.2l1.5-2 1 2.6 2.4-.9.1 2.7 2.6.2-.8 2.5 2.4 1-1.6 1.9 1.8 1.9-2.4 1.2.9 2.4-2.6.3.1 2.6-2.5-.7-.9 2.5-2-1.7-2 1.7-.9-2.5-2.5.7.1-2.6-2.6-.3.9-2.4-2.4-1.2 1.8-1.9L4 9.8l2.4-1"
    />
    <circle class="brand-hub" cx="12" cy="13" r="2.6" />
    <path class="brand-pawl" d="M3 3.5l7.2 2.6" />
  </svg>
);
