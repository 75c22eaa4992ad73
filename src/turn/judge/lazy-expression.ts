// Creates a regular expression when it is first used, because compiling those of all languages would slow down every start.
import { once } from "../../tools/declared/once.ts";

export function lazyExpression(source: string): Pick<RegExp, "test" | "exec"> {
  const made = once(() => new RegExp(source, "iu"));
  return { test: (text) => made().test(text), exec: (text) => made().exec(text) };
}
