// The ways a result can be drawn. One row each: what it fits, how it looks. The first that fits draws; text fits all.
import type { Child } from "hono/jsx/dom";
import { Code, Disclosure, LongText, SCROLLABLE, VisibleText } from "../parts/components.tsx";
import { ChangeGrid } from "../timetable/change-grid.tsx";
import { calendarBeforeAndAfter } from "../timetable/changes.ts";
import { diffLines } from "./diff-lines.ts";
import { findImage } from "./image-source.ts";
import type { ParsedResult } from "./parse-result.ts";
import { findTable } from "./table-rows.ts";

export type Renderer = {
  readonly name: string;
  /** What it will draw; null when the result is nothing for it. */
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
        <Disclosure label="What the tool said">{() => <LongText text={text} />}</Disclosure>
      </>
    );
  },
};

const image: Renderer = {
  name: "image",
  render: ({ text, data }) => {
    const picture = findImage(data) ?? findImage(text.trim());
    return picture && <img class="result-image" src={picture.src} alt={picture.alt} />;
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
        <section class="table-scroll" aria-label="Table" {...SCROLLABLE}>
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
