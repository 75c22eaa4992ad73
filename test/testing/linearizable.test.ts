import { describe, expect, test } from "vitest";
import { explainList, type ListOperation } from "../../src/testing/linearizable.ts";

const append = (
  id: string,
  invoked: number,
  done: number,
  values: readonly string[],
  outcome: "ok" | "failed" | "unknown" = "ok",
): ListOperation => ({
  id,
  invoked,
  done,
  kind: "append",
  values,
  outcome,
});
const read = (id: string, invoked: number, done: number, count: number, last: string | null): ListOperation => ({
  id,
  invoked,
  done,
  kind: "read",
  count,
  last,
});

describe("linearizable histories", () => {
  test.each<[string, readonly string[], readonly ListOperation[]]>([
    ["nothing happened", [], []],
    ["one after another", ["a", "b"], [append("1", 0, 1, ["a"]), read("2", 2, 3, 1, "a"), append("3", 4, 5, ["b"])]],
    ["two concurrent appends, in either order", ["b", "a"], [append("1", 0, 3, ["a"]), append("2", 1, 2, ["b"])]],
    [
      "a read concurrent with an append may or may not see it",
      ["a"],
      [append("1", 0, 3, ["a"]), read("2", 1, 2, 0, null), read("3", 1, 2, 1, "a")],
    ],
    ["an append without a response happened", ["a"], [append("1", 0, Number.POSITIVE_INFINITY, ["a"], "unknown")]],
    ["an append without a response did not happen", [], [append("1", 0, Number.POSITIVE_INFINITY, ["a"], "unknown")]],
    ["one append with two values", ["a", "x", "b"], [append("1", 0, 9, ["a", "b"]), append("2", 1, 2, ["x"])]],
  ])("%s", (_what, list, operations) => {
    expect(explainList(list, operations)).toEqual([]);
  });
});

describe("histories that are not linearizable", () => {
  test.each<[string, readonly string[], readonly ListOperation[]]>([
    ["an acknowledged value is missing", [], [append("1", 0, 1, ["a"])]],
    ["half of an append is missing", ["a"], [append("1", 0, 1, ["a", "b"])]],
    ["a refused value is in the list", ["a"], [append("1", 0, 1, ["a"], "failed")]],
    ["a value is in the list twice", ["a", "a"], [append("1", 0, 1, ["a"])]],
    ["a later append comes before an earlier one", ["b", "a"], [append("1", 0, 1, ["a"]), append("2", 2, 3, ["b"])]],
    ["the values of one append are reversed", ["b", "a"], [append("1", 0, 1, ["a", "b"])]],
    ["a read misses a value acknowledged before it began", ["a"], [append("1", 0, 1, ["a"]), read("2", 2, 3, 0, null)]],
    ["a read sees a value sent after it ended", ["a"], [read("1", 0, 1, 1, "a"), append("2", 2, 3, ["a"])]],
    [
      "a later read sees fewer values",
      ["a", "b"],
      [append("1", 0, 9, ["a", "b"]), read("2", 1, 2, 2, "b"), read("3", 3, 4, 1, "a")],
    ],
    ["a read sees another value at the end", ["a"], [append("1", 0, 1, ["a"]), read("2", 2, 3, 1, "b")]],
    ["a read sees more values than exist", ["a"], [append("1", 0, 1, ["a"]), read("2", 2, 3, 2, "b")]],
  ])("%s", (_what, list, operations) => {
    expect(explainList(list, operations)).not.toEqual([]);
  });
});
