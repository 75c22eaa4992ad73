// Reads the action of a decision. An unknown word is never turned into a known one; instead, the problem suggests what was probably meant.
import { looksLikeCall } from "./call-alias.ts";
import { addIssue, describeValue, ownValue, type ParseContext } from "./fields.ts";

export function readAction<W extends string>(context: ParseContext, legal: readonly W[]): W | undefined {
  const value = ownValue(context.object, "action");
  const word = typeof value === "string" ? value.trim() : "";
  const known = legal.find((candidate) => candidate === word);
  if (known === undefined)
    addIssue(context, ["action"], value, describeAction(context, word, legal), `one of ${legal.join(", ")}`);
  return known;
}

function describeAction({ object }: ParseContext, word: string, legal: readonly string[]): string {
  const found = word === "" ? describeValue(ownValue(object, "action")) : "an unknown word";
  const folded = word.toLowerCase().replace(/[\s-]+/g, "_");
  const meant = legal.find((candidate) => candidate === folded);
  if (meant) return `${found}; write it as ${meant}`;
  return looksLikeCall(object)
    ? `${found}; a tool is called with {"action":"continue","tool_call":{"name":…,"arguments":{…}}}`
    : found;
}
