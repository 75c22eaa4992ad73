// The renderers of results. The first one that accepts a result renders it; the last accepts everything.
import type { Child } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Code, Disclosure, LongText, VisibleText } from "../parts/components.tsx";
import { Table } from "../parts/table.tsx";
import { ChangeGrid } from "../timetable/change-grid.tsx";
import { calendarBeforeAndAfter } from "../timetable/changes.ts";
import { diffLines } from "./diff-lines.ts";
import { findImage } from "./image-source.ts";
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
