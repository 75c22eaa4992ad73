// Creates an expression when it is first used, because reading the words of all languages would be a part of every start.
import { once } from "../../tools/declared/once.ts";

export type LazyExpression = Pick<RegExp, "test" | "exec">;

export function lazyExpression(source: string): LazyExpression {
  const made = once(() => new RegExp(source, "iu"));
  return { test: (text) => made().test(text), exec: (text) => made().exec(text) };
}
