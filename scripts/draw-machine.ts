// Draws the thread machine from its definition into machines/README.md, so that the diagram is always correct.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyStateNodeDefinition } from "xstate";
import { threadMachine } from "../machines/thread.machine.ts";
import { SIGNAL_MEANINGS } from "../machines/thread.signals.ts";

type Definition = AnyStateNodeDefinition;
type Edge = { readonly from: string; readonly to: string; readonly label: string };

export const DIAGRAM_FILE = join(import.meta.dirname, "../machines/README.md");
const BEGIN = "<!-- drawn by npm run machine:draw: begin -->";
const END = "<!-- end -->";

const root: Definition = threadMachine.definition;
const childrenOf = (node: Definition): readonly Definition[] => Object.values(node.states);

/** Converts an id such as "thread.plan.asking" to "plan_asking", because names in a diagram must be unique. */
const nameOf = (id: string): string => id.replace(/^thread\./, "").replaceAll(".", "_");

function edgesOf(node: Definition): readonly Edge[] {
  const own = node.transitions.flatMap((transition) =>
    (transition.target ?? []).map((target) => ({
      from: nameOf(node.id),
      to: nameOf(target.id),
      label: transition.guard ? `${transition.eventType} (${String(transition.guard)})` : transition.eventType,
    })),
  );
  return [...own, ...childrenOf(node).flatMap(edgesOf)];
}

function arrows(edges: readonly Edge[], indent: string): readonly string[] {
  const labels = Map.groupBy(edges, (edge) => `${edge.from} --> ${edge.to}`);
  return [...labels].map(([ends, same]) => `${indent}${ends} : ${same.map((edge) => edge.label).join("<br>")}`);
}

const startOf = (node: Definition): string => nameOf(node.initial?.target?.[0]?.id ?? "");

function drawParent(node: Definition, edges: readonly Edge[]): readonly string[] {
  const children = childrenOf(node);
  if (children.length === 0) return [];
  const inside = edges.filter(({ from, to }) => [from, to].every((end) => isInside(end, node)));
  return [
    `  state ${node.key} {`,
    ...children.map((child) => `    state "${child.key}" as ${nameOf(child.id)}`),
    `    [*] --> ${startOf(node)}`,
    ...arrows(inside, "    "),
    "  }",
  ];
}

const isInside = (name: string, node: Definition): boolean => name.startsWith(`${nameOf(node.id)}_`);

function drawStates(): string {
  const edges = edgesOf(root);
  const parents = childrenOf(root);
  const between = edges.filter(
    ({ from, to }) => !parents.some((parent) => isInside(from, parent) && isInside(to, parent)),
  );
  const lines = [
    "stateDiagram-v2",
    `  [*] --> ${startOf(root)}`,
    ...parents.flatMap((parent) => drawParent(parent, edges)),
    ...arrows(between, "  "),
  ];
  return ["```mermaid", ...lines, "```"].join("\n");
}

function listSignals(): string {
  const rows = Object.entries(SIGNAL_MEANINGS).map(([signal, meaning]) => `| \`${signal}\` | ${meaning} |`);
  return ["| signal | what happened |", "|---|---|", ...rows].join("\n");
}

export function redraw(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`machines/README.md needs ${BEGIN} … ${END}`);
  return `${before}${BEGIN}\n${drawStates()}\n\n## Signals\n\n${listSignals()}\n${END}${after}`;
}

if (import.meta.main) {
  writeFileSync(DIAGRAM_FILE, redraw(readFileSync(DIAGRAM_FILE, "utf8")));
  console.log("drew machines/README.md");
}
