// Shows the graph of a workflow with the current role highlighted.
import { type FC, useMemo } from "hono/jsx/dom";
import type { WorkflowView } from "../../schema/turn-result.ts";
import type { Workflow } from "../../workflow/definition.ts";
import { t } from "../messages/messages.ts";
import { END, layoutGraph, NODE } from "./graph-layout.ts";

const NAME_CHARS = 22;
const LABEL_CHARS = 18;
const shorten = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text);

type Props = { readonly definition: Pick<Workflow, "graph">; readonly workflow: WorkflowView };

export const GraphView: FC<Props> = ({ definition, workflow }) => {
  const { nodes, edges, width, height } = useMemo(() => layoutGraph(definition), [definition]);
  const current = workflow.done ? END : (workflow.suspended_role ?? workflow.current_role ?? "");
  const last = workflow.steps.at(-1);
  return (
    <div class="machine">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t().workflow.currentRole(current)}>
        <defs>
          <marker id="role-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path class="edge-tip" d="M0 1L7 4L0 7" />
          </marker>
        </defs>
        {edges.map(({ from, to, statuses, d, label }) => (
          <g key={`${from}>${to}`}>
            <title>{statuses.join(", ")}</title>
            <path
              class={`edge ${last?.role === from && statuses.includes(last.status) ? "edge-active" : ""}`}
              d={d}
              marker-end="url(#role-tip)"
            />
            <text class="edge-label" x={label.x} y={label.y} text-anchor={label.anchor}>
              {shorten(statuses.join(", "), LABEL_CHARS)}
            </text>
          </g>
        ))}
        {nodes.map(({ name, y }) => (
          <g key={name} class={`state ${name === current ? "state-current" : ""}`}>
            <title>{name}</title>
            <rect x={NODE.x} y={y} width={NODE.width} height={NODE.height} rx="8" />
            <text class="state-name" x={NODE.x + 12} y={y + 23}>
              {shorten(name, NAME_CHARS)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
};
