// Defines the available renderers. The first one that accepts a result renders it, and the text renderer accepts
// everything.
import type { Child } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Code, Disclosure, LongText, SCROLLABLE, VisibleText } from "../parts/components.tsx";
import { ChangeGrid } from "../timetable/change-grid.tsx";
import { calendarBeforeAndAfter } from "../timetable/changes.ts";
import { diffLines } from "./diff-lines.ts";
import { findImage } from "./image-source.ts";
import type { ParsedResult } from "./parse-result.ts";
import { findTable } from "./table-rows.ts";

export type Renderer = {
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
    return (
      found && (
        <section class="table-scroll" aria-label={t().results.table} {...SCROLLABLE}>
          <table>
            <thead>
              <tr>
                {found.columns.map((column, i) => (
                  <th key={i} scope="col">
                    <VisibleText text={column} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>
                      <VisibleText text={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )
    );
  },
};

const json: Renderer = {
  name: "json",
  render: ({ data }) =>
    typeof data === "object" && data !== null ? <LongText text={JSON.stringify(data, null, 2)} /> : null,
};

const plain: Renderer = { name: "text", render: ({ text }) => <LongText text={text} /> };

export const RENDERERS: readonly Renderer[] = [schedule, image, diff, table, json, plain];
