// Computes the output of echo and printf, so that text piped into a shell can be read. Returns undefined for unknown
// forms.

import type { Arg } from "../model.ts";
import { wordsOf } from "./options.ts";

/** Returns undefined if the output is not certain. */
export function printedText(name: string, args: readonly Arg[]): string | undefined {
  if (!args.every((arg) => arg.known)) return undefined;
  const values = wordsOf(args);
  if (name === "echo") return echoed(values);
  if (name === "printf") return formatted(values);
  return undefined;
}

function echoed(values: readonly string[]): string | undefined {
  let at = 0;
  let escapes = false;
  for (; /^-[neE]+$/.test(values[at] ?? ""); at++) escapes ||= values[at]?.includes("e") ?? false;
  const text = `${values.slice(at).join(" ")}\n`;
  // Without -e, shells treat backslashes differently, so the output is not certain.
  if (!text.includes("\\")) return text;
  return escapes ? unescapeText(text) : undefined;
}

function formatted(values: readonly string[]): string | undefined {
  const [format, ...rest] = values[0] === "--" ? values.slice(1) : values;
  if (format === undefined || format.startsWith("-")) return undefined;
  const holes = format.match(/%./g) ?? [];
  if (holes.some((hole) => !["%s", "%b", "%%", "%q"].includes(hole))) return undefined;
  const decoded = unescapeText(format);
  if (decoded === undefined) return undefined;
  const slots = holes.filter((hole) => hole !== "%%").length;
  const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(rest.length / slots));
  if (rounds > 1000) return undefined;
  let next = 0;
  const fill = (): string =>
    decoded.replace(/%(.)/g, (_all, kind: string) => {
      if (kind === "%") return "%";
      const value = rest[next++] ?? "";
      return kind === "b" ? (unescapeText(value) ?? value) : value;
    });
  return Array.from({ length: rounds }, fill).join("");
}

const SIMPLE: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", a: "", b: "", f: "", v: "" };

/** Decodes \n, \x6d, \155 and \u006d. Returns undefined for an unknown escape. */
export function unescapeText(text: string): string | undefined {
  let known = true;
  const result = text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,4})|([\s\S]?))/gi,
    (...groups: unknown[]) => {
      const [hex, unicode, octal, letter] = groups.slice(1, 5) as (string | undefined)[];
      if (hex ?? unicode) return String.fromCharCode(Number.parseInt(hex ?? unicode ?? "0", 16));
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      const plain = SIMPLE[letter ?? ""];
      if (plain === undefined && !["'", '"'].includes(letter ?? "")) known = false;
      return plain ?? letter ?? "";
    },
  );
  return known ? result : undefined;
}
