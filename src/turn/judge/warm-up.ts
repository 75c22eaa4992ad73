// Lets the engine compile the expressions of the judge, which takes about 20 ms, before the first run needs them.
import { asksForLookup } from "./asks-lookup.ts";

/** An expression is compiled to bytecode by its first use, and to machine code by its second. */
export function warmUpJudge(): void {
  for (const text of ["warm up", "warm up again"]) asksForLookup(text);
}
