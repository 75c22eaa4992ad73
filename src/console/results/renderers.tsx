// The renderers of results. The first one that accepts a result renders it; the last accepts everything.
import type { Child } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Code, Disclosure, LongText, VisibleText } from "../parts/components.tsx";
import { Table } from "../parts/table.tsx";
import { ChangeGrid } from "../timetable/change-grid.tsx";
import { calendarBeforeAndAfter } from "../timetable/changes.ts";
import type { ParsedResult } from "./parse-result.ts";
import { findTable } from "./table-rows.ts";

type Renderer = {
  readonly name: string;
  /** Returns null if this renderer does not support the result. */
  readonly render: (result: ParsedResult) => Child | null;
};

const schedule: Renderer = {
  name: "schedule",
  render: ({ changes, calendar, effect_id, text }) => {
    if (!changes || !calendar?.calendar || !effect_id) return null;
    const { before, after } = calendarBeforeAndAfter(calendar, effect_id);
    return (
      <>
        <ChangeGrid before={before} after={after} changes={changes} done />
        <Disclosure label={t().results.output}>{() => <LongText text={text} />}</Disclosure>
      </>
    );
  },
};

const image: Renderer = {
  name: "image",
  render: ({ text, data }) => {
    const source = findImage(data) ?? findImage(text.trim());
    return source && <img class="result-image" src={source.src} alt={source.alt} />;
  },
};

const diff: Renderer = {
  name: "diff",
  render: ({ text }) => {
    const lines = diffLines(text);
    return (
      lines && (
        <div class="mono-block">
          <Code class="diff">
            {lines.map((line, i) => (
              <span key={i} class={`diff-${line.kind}`}>
                <VisibleText text={`${line.text}\n`} />
              </span>
            ))}
          </Code>
        </div>
      )
    );
  },
};

const table: Renderer = {
  name: "table",
  render: ({ text, data }) => {
    const found = findTable(text, data);
    const cells = (row: readonly string[]): Child[] => row.map((cell) => <VisibleText text={cell} />);
    return found && <Table label={t().results.table} columns={cells(found.columns)} rows={found.rows.map(cells)} />;
  },
};

const json: Renderer = {
  name: "json",
  render: ({ data }) =>
    typeof data === "object" && data !== null ? <LongText text={JSON.stringify(data, null, 2)} /> : null,
};

const plain: Renderer = { name: "text", render: ({ text }) => <LongText text={text} /> };

const RENDERERS: readonly Renderer[] = [schedule, image, diff, table, json, plain];

/** Renders a result by its shape, with the first renderer that accepts it. */
export function renderResult(result: ParsedResult): { readonly name: string; readonly content: Child } {
  for (const { name, render } of RENDERERS) {
    const content = render(result);
    if (content !== null) return { name, content };
  }
  return { name: "none", content: null };
}

type DiffLine = { readonly kind: "added" | "removed" | "hunk" | "file" | "same"; readonly text: string };

const isDiff = (text: string): boolean =>
  /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text) && /^[+-](?![+-]{2} )/m.test(text);

/** Parses a unified diff line by line. Returns null for any other text. */
function diffLines(text: string): readonly DiffLine[] | null {
  if (!isDiff(text)) return null;
  return text.split("\n").map((line) => ({ kind: kindOf(line), text: line }));
}

function kindOf(line: string): DiffLine["kind"] {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

const DATA_URL = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const BITMAP = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

type ImageSource = { readonly src: string; readonly alt: string };

/** Finds an image in a tool result. It accepts only bitmap formats and only inline data, so nothing is fetched. */
function findImage(value: unknown): ImageSource | null {
  if (typeof value === "string") return DATA_URL.test(value) ? { src: value, alt: t().results.image } : null;
  if (typeof value !== "object" || value === null) return null;
  const { image, data, mime_type, mimeType, media_type, alt } = value as Record<string, unknown>;
  const altText = typeof alt === "string" ? alt : t().results.image;
  if (typeof image === "string" && DATA_URL.test(image)) return { src: image, alt: altText };
  const type = [mime_type, mimeType, media_type].find((one) => typeof one === "string" && BITMAP.test(one));
  if (typeof data !== "string" || type === undefined || !BASE64.test(data)) return null;
  return { src: `data:${String(type)};base64,${data}`, alt: altText };
}
