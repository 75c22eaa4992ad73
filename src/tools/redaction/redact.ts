// Removes secrets from text: values that the host knows, in the forms in which they are transmitted, and keys of the usual shapes. This guards
// against accidents; a secret that is split on purpose is not found.
import type { Hook, PieceFilter, PostHandler } from "../hooks.ts";
import { secretEncodings } from "./secret-encodings.ts";
import { SECRET_PATTERNS, type SecretPattern, unfinishedPatternStart } from "./secret-patterns.ts";

export const REDACTED = "[redacted]";
/** Text is held back up to this length for an unfinished secret. Beyond it, the held text is redacted. */
const BUFFER_CHARS_MAX = 16_384;

export type Redactor = {
  readonly text: (text: string) => string;
  /** Redacts every string in the value, including field names. */
  readonly value: (value: unknown) => unknown;
  /** Redacts text that arrives in pieces. What may be the beginning of a secret is held back until more text arrives. */
  readonly pieces: () => PieceFilter;
};

export function createRedactor(secrets: readonly string[] = []): Redactor {
  const forms = [...new Set(secrets.flatMap(secretEncodings))].sort((a, b) => b.length - a.length);
  const known = forms.length > 0 ? new RegExp(forms.map(literal).join("|"), "g") : null;
  const patterns: SecretPattern[] = [...(known ? [{ hint: "", pattern: () => known }] : []), ...SECRET_PATTERNS];
  const text = (given: string): string => redactSpans(given, spansIn(given, patterns));
  return {
    text,
    value: (value) => mapTexts(value, text),
    pieces: () => createPieceRedactor(forms, patterns),
  };
}

type Span = { readonly start: number; readonly end: number };

const literal = (form: string): string => form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/** In order, merged where they overlap. */
function spansIn(text: string, patterns: readonly SecretPattern[]): readonly Span[] {
  const found = patterns
    .filter(({ hint }) => text.includes(hint))
    .flatMap(({ pattern: whole }) =>
      [...text.matchAll(whole())].map((hit) => ({ start: hit.index, end: hit.index + hit[0].length })),
    )
    .sort((a, b) => a.start - b.start);
  const joined: Span[] = [];
  for (const span of found) {
    const last = joined.at(-1);
    if (last && span.start < last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else joined.push(span);
  }
  return joined;
}

function redactSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let clean = "";
  let at = 0;
  for (const { start, end } of spans) {
    clean += text.slice(at, start) + REDACTED;
    at = end;
  }
  return clean + text.slice(at);
}

function createPieceRedactor(forms: readonly string[], patterns: readonly SecretPattern[]): PieceFilter {
  let buffered = "";
  const release = (upTo: number, spans: readonly Span[]): string => {
    const clean = redactSpans(
      buffered.slice(0, upTo),
      spans.filter((span) => span.end <= upTo),
    );
    buffered = buffered.slice(upTo);
    return clean;
  };
  return {
    push(text) {
      buffered += text;
      const spans = spansIn(buffered, patterns);
      const open = unfinishedSecretStart(buffered, forms);
      if (buffered.length - open > BUFFER_CHARS_MAX) {
        const passed = release(open, spans);
        buffered = "";
        return passed + REDACTED;
      }
      // A complete secret must not be cut where another one may begin.
      const overlapping = spans.find((span) => span.start < open && span.end > open);
      return release(overlapping ? overlapping.start : open, spans);
    },
    end: () => release(buffered.length, spansIn(buffered, patterns)),
  };
}

/** The length of the text if no unfinished secret begins in it. */
function unfinishedSecretStart(text: string, forms: readonly string[]): number {
  let first = text.length;
  for (const form of forms) {
    const from = Math.max(0, text.length - form.length + 1);
    for (let at = text.indexOf(form[0] ?? "", from); at >= 0 && at < first; at = text.indexOf(form[0] ?? "", at + 1)) {
      if (form.startsWith(text.slice(at))) first = at;
    }
  }
  return Math.min(first, unfinishedPatternStart(text));
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapTexts(item, change)]));
}

/** Put these hooks last, because other hooks may add text. Each result is redacted before it is stored, sent or logged. */
export function redactionHooks(redactor: Redactor): readonly Hook[] {
  const handler: PostHandler = ({ result, raw }) => ({
    action: "MODIFY_RESULT",
    text: redactor.text(result),
    raw: redactor.value(raw),
  });
  return [
    { name: "redact_secrets", hook_type: "POST_TOOL_USE", handler, pieces: redactor.pieces },
    { name: "redact_secrets", hook_type: "TOOL_ERROR", handler },
  ];
}
