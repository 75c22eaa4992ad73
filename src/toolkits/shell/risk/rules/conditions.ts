// Rules that one condition decides: a word, an option, the first argument, the whole line.
import { NONE, type Rule } from "../model.ts";
import { has, hasWord, readOptions } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";

export const allowed: Rule = () => NONE;
export const always =
  (...codes: RiskCode[]): Rule =>
  () =>
    codes;

/** `words` as in "-y --force": one of them asks. */
export const askOnWord =
  (words: string, code: RiskCode): Rule =>
  ({ args }) =>
    hasWord(args, words) ? [code] : NONE;

/** Without one of the words it asks. */
export const askUnlessWord =
  (words: string, code: RiskCode): Rule =>
  ({ args }) =>
    hasWord(args, words) ? NONE : [code];

/** `options` as in "f force"; `valued` are those that take a value. */
export const askOnOption =
  (options: string, code: RiskCode, valued = ""): Rule =>
  ({ args }) =>
    has(readOptions(args, valued), options) ? [code] : NONE;

export const askUnlessOption =
  (options: string, code: RiskCode, valued = ""): Rule =>
  ({ args }) =>
    has(readOptions(args, valued), options) ? NONE : [code];

/** An argument that matches asks. */
export const askOnArg =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args }) =>
    args.some(({ value }) => pattern.test(value)) ? [code] : NONE;

/** Without an argument that matches it asks. */
export const askUnlessArg =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args }) =>
    args.some(({ value }) => pattern.test(value)) ? NONE : [code];

/** A first argument that does not match asks; none at all is allowed. */
export const askUnlessFirst =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args: [first] }) =>
    first && !pattern.test(first.value) ? [code] : NONE;

/** All arguments together, separated by spaces. */
export const askOnLine =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args }) =>
    pattern.test(args.map(({ value }) => value).join(" ")) ? [code] : NONE;
