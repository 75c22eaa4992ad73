// Creates rules with a single condition on a word, an option, the first argument, or the whole line.
import { NONE, type Rule } from "../model.ts";
import { has, hasWord, readOptions } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";

export const allowed: Rule = () => NONE;
export const always =
  (...codes: RiskCode[]): Rule =>
  () =>
    codes;

/** Requires approval for one of these words, such as "-y --force". */
export const askOnWord =
  (words: string, code: RiskCode): Rule =>
  ({ args }) =>
    hasWord(args, words) ? [code] : NONE;

/** Requires approval unless one of these words is present. */
export const askUnlessWord =
  (words: string, code: RiskCode): Rule =>
  ({ args }) =>
    hasWord(args, words) ? NONE : [code];

/** Requires approval for one of these options, such as "f force". `valued` names the options that take a value. */
export const askOnOption =
  (options: string, code: RiskCode, valued = ""): Rule =>
  ({ args }) =>
    has(readOptions(args, valued), options) ? [code] : NONE;

export const askUnlessOption =
  (options: string, code: RiskCode, valued = ""): Rule =>
  ({ args }) =>
    has(readOptions(args, valued), options) ? NONE : [code];

/** Requires approval if an argument matches. */
export const askOnArg =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args }) =>
    args.some(({ value }) => pattern.test(value)) ? [code] : NONE;

/** Requires approval unless an argument matches. */
export const askUnlessArg =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args }) =>
    args.some(({ value }) => pattern.test(value)) ? NONE : [code];

/** Requires approval if there is a first argument that does not match. */
export const askUnlessFirst =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args: [first] }) =>
    first && !pattern.test(first.value) ? [code] : NONE;

/** Requires approval if the arguments, joined by spaces, match. */
export const askOnLine =
  (pattern: RegExp, code: RiskCode): Rule =>
  ({ args }) =>
    pattern.test(args.map(({ value }) => value).join(" ")) ? [code] : NONE;
