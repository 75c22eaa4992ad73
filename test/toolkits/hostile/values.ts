// Lists values that no argument of a tool is meant to have.
const deep = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`) as unknown;

export const HOSTILE_VALUES: readonly (readonly [string, unknown])[] = [
  ["a prototype as JSON", JSON.parse('{"__proto__": {"polluted": true}}')],
  ["a constructor", { constructor: { prototype: { polluted: true } } }],
  ["a megabyte", "x".repeat(1_000_000)],
  ["a control character", "a\u0000b"],
  ["half a surrogate pair", "\ud800"],
  ["a deep list", deep],
  ["not a number", Number.NaN],
  ["a number that is too large", 1e308],
  ["a negative number", -1],
  ["a path out of the workspace", "../../../etc/passwd"],
  ["a template", "$" + "{process.exit()}{{7*7}}"],
];
