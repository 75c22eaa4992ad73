// Derives the version of a tool with an external manifest from its content. A change makes a new version, so that an approval never applies to
// something else.
import type { Hash } from "../../ports/hash.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";

export const contentVersion = (hash: Hash, facts: Readonly<Record<string, unknown>>): string =>
  hash.sha256(canonicalJson(facts)).slice(0, 16);
