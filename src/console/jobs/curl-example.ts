// A call as one types it into a shell, for pages that have nothing to show yet.
import { readKey } from "../client/key.ts";

/** The key itself is never written out: whoever has it knows where. */
export function curlExample(path: string, body: string): string {
  const key = readKey() === null ? "" : ` -H "authorization: Bearer $PAWL_KEY"`;
  return `curl ${location.origin}${path}${key} \\\n  -H 'content-type: application/json' -d '${body}'`;
}
