// Parses a unified diff line by line. Returns null for any other text.
export type DiffLine = { readonly kind: "added" | "removed" | "hunk" | "file" | "same"; readonly text: string };

const isDiff = (text: string): boolean =>
  /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text) && /^[+-](?![+-]{2} )/m.test(text);

export function diffLines(text: string): readonly DiffLine[] | null {
  if (!isDiff(text)) return null;
  return text.split("\n").map((line) => ({ kind: kindOf(line), text: line }));
}

function kindOf(line: string): DiffLine["kind"] {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
