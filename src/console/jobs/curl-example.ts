// Example requests for curl, shown on empty pages.
import { readKey } from "../client/key.ts";

/** Refers to the key by environment variable, so that the page never displays it. */
export function curlExample(path: string, body: string): string {
  const key = readKey() === null ? "" : ` -H "authorization: Bearer $PAWL_KEY"`;
  return `curl ${location.origin}${path}${key} \\\n  -H 'content-type: application/json' -d '${body}'`;
}
