// Makes the engine compile the judge's regular expressions before the first run needs them. Compiling takes about 20 ms.
import { asksForLookup } from "./asks-lookup.ts";

/** Runs each expression twice: the first run compiles it to bytecode, the second to machine code. */
export function warmUpJudge(): void {
  for (const text of ["warm up", "warm up again"]) asksForLookup(text);
}
