// Finds what makes code impure: clocks, randomness, timers, the network and the process. These must come through ports.
import { isNode, type Node, walk } from "../../scripts/read-source.ts";

const GLOBALS = new Set(["process", "fetch", "performance", "crypto", "globalThis", "WebSocket", "localStorage"]);
const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);
const MEMBERS = new Set(["Date.now", "Math.random", "AbortSignal.timeout"]);

export function hiddenInputs(tree: Node): readonly string[] {
  const own = declaredNames(tree);
  const found: string[] = [];
  walk(tree, (node, parent) => {
    const named = inputOf(node, parent);
    if (named && !own.has(named.split(".")[0] ?? "")) found.push(named);
  });
  return found;
}

function inputOf(node: Node, parent: Node | null): string | null {
  // new Date(x) only converts; without an argument it reads the clock.
  if (node.type === "NewExpression" || node.type === "CallExpression") {
    const reads = nameOf(node.callee) === "Date" && (node.type === "CallExpression" || isEmpty(node.arguments));
    return reads ? "Date" : null;
  }
  if (node.type === "MemberExpression") {
    const member = `${nameOf(node.object)}.${nameOf(node.property)}`;
    return MEMBERS.has(member) ? member : null;
  }
  const name = nameOf(node);
  return name && (GLOBALS.has(name) || TIMERS.has(name)) && isUse(node, parent) ? name : null;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const nameOf = (value: unknown): string | null =>
  isNode(value) && value.type === "Identifier" && typeof value.name === "string" ? value.name : null;

/** Reports whether a name is used as a value, not as the name of a property or of a type. */
function isUse(node: Node, parent: Node | null): boolean {
  if (!parent) return false;
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed === true;
  if (parent.type === "Property") return parent.value === node;
  return !parent.type.startsWith("TS") || parent.type === "TSAsExpression";
}

/** Returns the names declared in the file, because a parameter called `process` is not the global. */
function declaredNames(tree: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walk(tree, (node) => {
    const params = Array.isArray(node.params) ? node.params : [];
    for (const pattern of [...params, node.type === "VariableDeclarator" ? node.id : null]) collect(pattern, names);
    if (node.type === "FunctionDeclaration") collect(node.id, names);
    if (node.type.startsWith("Import") && isNode(node.local)) collect(node.local, names);
  });
  return names;
}

function collect(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return;
  const name = nameOf(pattern);
  if (name) names.add(name);
  collect(pattern.left ?? pattern.argument, names);
  for (const part of (pattern.properties ?? pattern.elements ?? []) as readonly unknown[]) {
    collect(isNode(part) && part.type === "Property" ? part.value : part, names);
  }
}
