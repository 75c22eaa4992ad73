// The ways a result can be drawn. One row each: what it fits, how it looks. The first that fits draws; text fits all.
import type { Child } from "hono/jsx/dom";
import { Code, Fold, LongText, SCROLLS, Visible } from "../parts/bits.tsx";
import { ChangeGrid } from "../timetable/change-grid.tsx";
import { calendarAround } from "../timetable/changes.ts";
import { diffLines } from "./diff-lines.ts";
import { pictureIn } from "./image-source.ts";
import type { ReadResult } from "./read-result.ts";
import { tableIn } from "./table-rows.ts";

export type Renderer = {
  readonly name: string;
  /** What it will draw; null when the result is nothing for it. */
  readonly draw: (result: ReadResult) => Child | null;
};

const schedule: Renderer = {
  name: "schedule",
  draw: ({ changes, calendar, effect_id, text }) => {
    if (!changes || !calendar?.calendar || !effect_id) return null;
    const { before, after } = calendarAround(calendar, effect_id);
    return (
      <>
        <ChangeGrid before={before} after={after} changes={changes} done />
        <Fold label="What the tool said">{() => <LongText text={text} />}</Fold>
      </>
    );
  },
};

const image: Renderer = {
  name: "image",
  draw: ({ text, data }) => {
    const picture = pictureIn(data) ?? pictureIn(text.trim());
    return picture && <img class="result-image" src={picture.src} alt={picture.alt} />;
  },
};

const diff: Renderer = {
  name: "diff",
  draw: ({ text }) => {
    const lines = diffLines(text);
    return (
      lines && (
        <div class="mono-block">
          <Code class="diff">
            {lines.map((line, i) => (
              <span key={i} class={`diff-${line.kind}`}>
                <Visible text={`${line.text}\n`} />
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
  draw: ({ text, data }) => {
    const found = tableIn(text, data);
    return (
      found && (
        <section class="table-scroll" aria-label="Table" {...SCROLLS}>
          <table>
            <thead>
              <tr>
                {found.columns.map((column, i) => (
                  <th key={i} scope="col">
                    <Visible text={column} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>
                      <Visible text={cell} />
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
  draw: ({ data }) =>
    typeof data === "object" && data !== null ? <LongText text={JSON.stringify(data, null, 2)} /> : null,
};

const plain: Renderer = { name: "text", draw: ({ text }) => <LongText text={text} /> };

export const RENDERERS: readonly Renderer[] = [schedule, image, diff, table, json, plain];
