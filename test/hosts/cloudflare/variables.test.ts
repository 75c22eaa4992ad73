// Tests that what a running worker created from its variables is created again when they change.
import { expect, test } from "vitest";
import { type CloudflareEnv, createPerVariables } from "../../../src/hosts/cloudflare/env.ts";

test("a value is created again only if a variable was added, changed or removed", () => {
  const replaced: string[] = [];
  let count = 0;
  const currentValue = createPerVariables(
    () => {
      count += 1;
      return `value ${count}`;
    },
    (before) => void replaced.push(before),
  );
  const env = (variables: object) => ({ THREADS: {}, DIRECTORY: {}, ...variables }) as unknown as CloudflareEnv;
  const values = [{ A: "1" }, { A: "1" }, { A: "2" }, { A: "2", B: "1" }, { A: "2" }, { A: "2" }].map((variables) =>
    currentValue(env(variables)),
  );
  expect(values).toEqual(["value 1", "value 1", "value 2", "value 3", "value 4", "value 4"]);
  expect(replaced).toEqual(["value 1", "value 2", "value 3"]);
});
