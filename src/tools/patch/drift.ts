// Habits of the writer that the file does not share (doubled spaces, typographic quotes, spaces at line ends), learned
// from lines both have. What the writer added is freed of a habit only if the file contradicts it.
import { plainPunctuation } from "./punctuation.ts";

export type BodyPair = { readonly old: string; readonly file: string };

export type Drift = {
  /** A written line, without indentation and trailing space, as the file would have it. */
  readonly body: (written: string) => string;
  readonly trailing: boolean;
};

const oneSpace = (text: string): string => text.replace(/[^\S\n]+/g, " ");

export function learnDrift(pairs: readonly BodyPair[]): Drift {
  const trailing = pairs.some(({ old, file }) => old !== old.trimEnd() && file === file.trimEnd());
  const bodies = pairs.map(({ old, file }) => ({ old: old.trim(), file: file.trim() }));
  const apart = bodies.filter(({ old, file }) => old !== file);
  const ways = [
    oneSpace,
    (text: string) => plainPunctuation(text, "-"),
    (text: string) => plainPunctuation(text, "--"),
    (text: string) => oneSpace(plainPunctuation(text, "-")),
    (text: string) => oneSpace(plainPunctuation(text, "--")),
  ];
  const scores = ways.map((way) => apart.filter(({ old, file }) => way(old) === file).length);
  const most = Math.max(0, ...scores);
  const best = most === 0 ? undefined : ways[scores.indexOf(most)];
  return { body: best ?? ((written) => written), trailing };
}
