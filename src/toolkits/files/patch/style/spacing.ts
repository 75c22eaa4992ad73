// Learns the file's spacing, such as `a,b` for `a, b`, from lines that differ only in spacing.
import type { LinePair, Rewrite } from "../find/composition.ts";

type Piece = { readonly token: string; readonly gap: string };

const TOKEN = /(\s*)([\p{L}\p{N}\p{M}_$]+|[^\s\p{L}\p{N}\p{M}_$])/gu;

/** Spacing that no pair contains is unchanged. */
export function learnSpacing(pairs: readonly LinePair[]): Rewrite {
  const votes = new Map<string, Map<string, number>>();
  for (const { old, file } of pairs) {
    const [before, after] = [piecesOf(old), piecesOf(file)];
    if (before.length !== after.length || before.some(({ token }, index) => token !== after[index]?.token)) continue;
    before.forEach(({ gap }, index) => {
      const [rule, put] = [ruleFor(before, index), after[index]?.gap ?? ""];
      const gaps = votes.get(rule) ?? new Map<string, number>();
      votes.set(rule, gaps.set(put, (gaps.get(put) ?? 0) + (gap === put ? 1 : 1.5)));
    });
  }
  const rules = new Map(
    [...votes].map(([rule, gaps]) => [rule, [...gaps].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ""]),
  );
  if (rules.size === 0) return (written) => written;
  return (written) => {
    const pieces = piecesOf(written);
    return pieces.map(({ token, gap }, index) => (rules.get(ruleFor(pieces, index)) ?? gap) + token).join("");
  };
}

function piecesOf(line: string): Piece[] {
  return [...line.matchAll(TOKEN)].map(([, gap = "", token = ""]) => ({ gap, token }));
}

/** The kinds of the tokens on both sides of the gap, and the gap itself. */
function ruleFor(pieces: readonly Piece[], index: number): string {
  const kind = (piece: Piece | undefined) => (piece ? piece.token.replace(/^[\p{L}\p{N}\p{M}_$]+$/u, "w") : "");
  return `${kind(pieces[index - 1])} ${kind(pieces[index])} ${pieces[index]?.gap ?? ""}`;
}
