// Creates a regular expression when it is first used, because compiling those of all languages would slow down every start.
import { once } from "../../tools/declared/once.ts";

export type LazyExpression = Pick<RegExp, "test" | "exec">;

export function lazyExpression(source: string): LazyExpression {
  const made = once(() => new RegExp(source, "iu"));
  return { test: (text) => made().test(text), exec: (text) => made().exec(text) };
}
