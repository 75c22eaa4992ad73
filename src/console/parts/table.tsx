// Shows a table that scrolls within its own area.
import type { Child, FC } from "hono/jsx/dom";
import { SCROLLABLE } from "./components.tsx";

type TableProps = {
  readonly label: string;
  readonly columns: readonly Child[];
  readonly rows: readonly (readonly Child[])[];
};

export const Table: FC<TableProps> = ({ label, columns, rows }) => (
  <section class="table-scroll" aria-label={label} {...SCROLLABLE}>
    <table>
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={i} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
