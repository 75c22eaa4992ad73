// Makes the top-level variables of a built file constant again. esbuild turns all of them into `var`. Compiled code then has to read and check them
// with each use, so that a turn takes longer than from the sources.
import { type Node, parseSync } from "oxc-parser";

/** Replaces `var` by `const` in top-level declarations whose variables are declared once and assigned nowhere else in the text. */
export function withConstants(text: string, name: string): string {
  const { program, errors } = parseSync(name, text, { sourceType: "module" });
  if (errors[0]) throw new Error(`${name}: ${errors[0].message}`);
  const { assigned, declared } = findNames(program);
  let result = "";
  let at = 0;
  for (const statement of program.body) {
    if (statement.type !== "VariableDeclaration" || statement.kind !== "var") continue;
    const isConstant = statement.declarations.every(
      ({ id, init }) =>
        id.type === "Identifier" && init !== null && !assigned.has(id.name) && declared.get(id.name) === 1,
    );
    if (!isConstant) continue;
    result += `${text.slice(at, statement.start)}const`;
    at = statement.start + "var".length;
  }
  return result + text.slice(at);
}

type Names = {
  /** The names that are assigned in any scope. */
  readonly assigned: Set<string>;
  /** How often each name is declared at the top level. A `var` in a block counts, because it is visible outside. */
  readonly declared: Map<string, number>;
};

function findNames(program: Node): Names {
  const names: Names = { assigned: new Set(), declared: new Map() };
  const visit = (part: unknown, inFunction: boolean): void => {
    if (Array.isArray(part)) {
      for (const one of part) visit(one, inFunction);
      return;
    }
    if (!isNode(part)) return;
    for (const target of targetsOf(part)) names.assigned.add(target);
    if (part.type === "VariableDeclarator" && !inFunction)
      for (const target of patternNames(part.id)) names.declared.set(target, (names.declared.get(target) ?? 0) + 1);
    const isFunction = part.type.includes("Function") || part.type === "ClassBody";
    for (const child of Object.values(part)) visit(child, inFunction || isFunction);
  };
  visit(program, false);
  return names;
}

/** Returns the names that a node assigns itself. */
function targetsOf(node: Node): readonly string[] {
  switch (node.type) {
    case "AssignmentExpression":
    case "ForOfStatement":
    case "ForInStatement":
      return patternNames(node.left);
    case "UpdateExpression":
      return patternNames(node.argument);
    default:
      return [];
  }
}

function patternNames(pattern: unknown): readonly string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(patternNames);
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ArrayPattern":
      return patternNames(pattern.elements);
    case "ObjectPattern":
      return patternNames(pattern.properties);
    case "Property":
      return patternNames(pattern.value);
    case "AssignmentPattern":
      return patternNames(pattern.left);
    case "RestElement":
      return patternNames(pattern.argument);
    default:
      return [];
  }
}

const isNode = (part: unknown): part is Node => typeof part === "object" && part !== null && "type" in part;
