// Derives the version of a tool with an external manifest from its content, so that an approval does not apply to a changed tool.
import type { Hash } from "../../ports/hash.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";

export const contentVersion = (hash: Hash, facts: Readonly<Record<string, unknown>>): string =>
  hash.sha256(canonicalJson(facts)).slice(0, 16);
