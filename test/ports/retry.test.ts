import { expect, test } from "vitest";
import { retryConflict } from "../../src/ports/retry.ts";
import { fail, ok } from "../../src/schema/problem.ts";

const conflict = fail("settings_moved", "Another writer saved first.");

test("a conflict is retried until the attempt succeeds", async () => {
  const counts: number[] = [];
  const result = await retryConflict("settings_moved", async (count) => {
    counts.push(count);
    return count < 3 ? conflict : ok("saved");
  });
  expect(result).toEqual(ok("saved"));
  expect(counts).toEqual([1, 2, 3]);
});

test("the conflict is returned when the attempts are used up", async () => {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    return conflict;
  };
  expect(await retryConflict("settings_moved", attempt, 4)).toBe(conflict);
  expect(attempts).toBe(4);
});

test("another problem is returned at once", async () => {
  const other = fail("store_unavailable", "The store does not answer.");
  let attempts = 0;
  const result = await retryConflict("settings_moved", async () => {
    attempts += 1;
    return other;
  });
  expect(result).toBe(other);
  expect(attempts).toBe(1);
});
