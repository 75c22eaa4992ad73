// Reads the action of a decision. An unknown word is never turned into a known one; instead, the problem suggests what was probably meant.
import { looksLikeCall } from "./call-alias.ts";
import {
  addIssue,
  describeValue,
  isObject,
  type JsonObject,
  meantWord,
  ownValue,
  type ParseContext,
} from "./fields.ts";

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
  const meant = meantWord(word, legal);
  if (meant) return `${found}; write it as ${meant}`;
  if (looksLikeCall(object))
    return `${found}; a tool is called with {"action":"continue","tool_call":{"name":…,"arguments":{…}}}`;
  const elsewhere = word === "" ? actionElsewhere(object) : null;
  return elsewhere ? `${found}; ${elsewhere}` : found;
}

/** Says where the action is, if it is under a key in other letters or one level too deep. */
function actionElsewhere(object: JsonObject): string | null {
  for (const [key, value] of Object.entries(object)) {
    if (key.trim().toLowerCase() === "action" && typeof value === "string") return "write the key in lower case";
    if (isObject(value) && typeof ownValue(value, "action") === "string")
      return "the decision is inside another object; write its fields at the top level";
  }
  return null;
}
