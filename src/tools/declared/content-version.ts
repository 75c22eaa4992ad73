// The version of a tool whose manifest comes from elsewhere: derived from its content, so that a change is a new version and
// what a person approved is not what runs.
import type { Hash } from "../../ports/hash.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";

export const contentVersion = (hash: Hash, facts: Readonly<Record<string, unknown>>): string =>
  hash.sha256(canonicalJson(facts)).slice(0, 16);
