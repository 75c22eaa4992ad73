// Checks whether some serial order explains the reads and appends of a list. All values are distinct, so the list
// itself gives the order of the appends, which makes the check exact and fast.

export type ListOperation = {
  readonly id: string;
  /** When the client sent the operation, by any monotonic counter. */
  readonly invoked: number;
  /** When the client received the response, or Infinity if it never did. */
  readonly done: number;
} & (
  | { readonly kind: "append"; readonly values: readonly string[]; readonly outcome: "ok" | "failed" | "unknown" }
  /** How many values the reader saw, and the last of them. */
  | { readonly kind: "read"; readonly count: number; readonly last: string | null }
);

/** Returns the violations, one line each. */
export function explainList(list: readonly string[], operations: readonly ListOperation[]): readonly string[] {
  const positions = new Map(list.map((value, i) => [value, i]));
  const violations: string[] = [];
  if (positions.size !== list.length) violations.push("a value is in the list twice");
  const positioned: PositionedOperation[] = [];
  for (const operation of operations) {
    const flaw = findFlaw(operation, list, positions);
    if (flaw) violations.push(`${operation.id}: ${flaw}`);
    else positioned.push(...positionsOf(operation, positions));
  }
  return [...violations, ...outOfOrder(positioned)];
}

type PositionedOperation = {
  readonly id: string;
  readonly invoked: number;
  readonly done: number;
  readonly position: number;
};

function findFlaw(
  operation: ListOperation,
  list: readonly string[],
  positions: ReadonlyMap<string, number>,
): string | null {
  if (operation.kind === "read") {
    if (operation.count > list.length) return `saw ${operation.count} values, but there are only ${list.length}`;
    const last = list[operation.count - 1] ?? null;
    return last === operation.last
      ? null
      : `saw ${operation.last} at the end of ${operation.count} values, not ${last}`;
  }
  const found = operation.values.filter((value) => positions.has(value));
  if (operation.outcome === "ok" && found.length < operation.values.length) return "was acknowledged but is missing";
  if (operation.outcome === "failed" && found.length > 0) return "was refused but is in the list";
  const order = found.map((value) => positions.get(value) ?? 0);
  return order.some((position, i) => i > 0 && position <= (order[i - 1] ?? 0))
    ? "is in the list in another order"
    : null;
}

/** A read of n values is between value n - 1 and value n; an append is at the positions of its values. */
function positionsOf(operation: ListOperation, positions: ReadonlyMap<string, number>): readonly PositionedOperation[] {
  const { id, invoked, done } = operation;
  if (operation.kind === "read") return [{ id, invoked, done, position: operation.count - 0.5 }];
  return operation.values.flatMap((value) => {
    const position = positions.get(value);
    return position === undefined ? [] : [{ id, invoked, done, position }];
  });
}

/** Operations that ended before another one began but come after it in the list. */
function outOfOrder(positioned: readonly PositionedOperation[]): readonly string[] {
  const begun = [...positioned].sort((a, b) => a.invoked - b.invoked);
  const ended = positioned.filter(({ done }) => done !== Number.POSITIVE_INFINITY).sort((a, b) => a.done - b.done);
  const violations: string[] = [];
  let furthest: PositionedOperation | null = null;
  let i = 0;
  for (const operation of begun) {
    for (let next = ended[i]; next && next.done < operation.invoked; next = ended[++i]) {
      if (!furthest || next.position > furthest.position) furthest = next;
    }
    if (furthest && furthest.position > operation.position)
      violations.push(`${operation.id} began after ${furthest.id} had ended, but comes before it`);
  }
  return violations;
}
