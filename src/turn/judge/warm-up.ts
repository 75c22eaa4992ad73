// Lets the engine compile the expressions of the judge, which takes about 20 ms, before the first run needs them.
import { asksForLookup } from "./asks-lookup.ts";

/** Each expression is used twice: its first use compiles it to bytecode, its second to machine code. */
export function warmUpJudge(): void {
  for (const text of ["warm up", "warm up again"]) asksForLookup(text);
}
