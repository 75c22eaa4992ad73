// Returns the direct parts of an expression, for checks that visit a whole statement.
import type { Expression, Order, Query, Window } from "./tree.ts";

export type Parts = { readonly expressions: readonly Expression[]; readonly queries: readonly Query[] };

const only = (...expressions: readonly Expression[]): Parts => ({ expressions, queries: [] });
const values = (orders: readonly Order[]): readonly Expression[] => orders.map(({ value }) => value);

export const partsOfWindow = (window: Window): readonly Expression[] => [
  ...window.partitionBy,
  ...values(window.orderBy),
];

export function partsOf(value: Expression): Parts {
  switch (value.kind) {
    case "column":
    case "string":
    case "number":
    case "keyword":
    case "temporal":
      return only();
    case "unary":
    case "cast":
    case "collate":
    case "extract":
    case "interval":
      return only(value.value);
    case "binary":
      return only(value.left, value.right);
    case "between":
      return only(value.value, value.from, value.to);
    case "in":
      return "parts" in value.list
        ? { expressions: [value.value], queries: [value.list] }
        : only(value.value, ...value.list);
    case "row":
      return only(...value.values);
    case "query":
    case "exists":
    case "quantified":
      return { expressions: [], queries: [value.query] };
    case "case": {
      const branches = value.when.flatMap((branch) => [branch.condition, branch.result]);
      return only(...[value.value, value.else].filter((part) => part !== null), ...branches);
    }
    case "trim":
      return only(...(value.remove ? [value.remove] : []), value.value);
    case "position":
      return only(value.find, value.value);
    case "call":
      return only(...value.call.args, ...values(value.call.orderBy), ...(value.over ? partsOfWindow(value.over) : []));
  }
}
