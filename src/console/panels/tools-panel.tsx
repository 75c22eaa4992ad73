// A timeline of what the tools did, and which tools this thread may use at all.
import type { FC } from "hono/jsx/dom";
import { useEffect, useState } from "hono/jsx/dom";
import type { Api, ToolsView } from "../client/api.ts";
import { Fold } from "../parts/bits.tsx";
import { clock, sourceInWords, spaced, took, whole } from "../parts/words.ts";
import type { Turn } from "../thread/conversation.ts";
import { type Operation, operationsOf } from "./operations.ts";

export const ToolsPanel: FC<{ api: Api; id: string; turns: readonly Turn[] }> = ({ api, id, turns }) => {
  const operations = operationsOf(turns);
  const longest = Math.max(1, ...operations.map((one) => one.ms ?? 0));
  return (
    <div>
      <h3 class="panel-title">Timeline</h3>
      {operations.length === 0 ? (
        <p class="quiet">No tool has been used yet.</p>
      ) : (
        <ol class="timeline">
          {operations.map((one) => (
            <OperationView key={one.id} operation={one} longest={longest} />
          ))}
        </ol>
      )}
      <Fold label="Tools of this thread">{() => <ToolList api={api} id={id} />}</Fold>
    </div>
  );
};

const OperationView: FC<{ operation: Operation; longest: number }> = ({ operation, longest }) => {
  const { name, turn, ms, how, source, actor, started_at } = operation;
  return (
    <li class={`operation operation-${how}`}>
      <p>
        <code>{name}</code> <span class="quiet small">{how}</span>
      </p>
      <div class="bar" aria-hidden="true">
        <span style={{ width: `${Math.max(2, ((ms ?? longest) / longest) * 100)}%` }} />
      </div>
      <p class="quiet small">
        turn {turn} · <time title={whole(started_at)}>{clock(started_at)}</time> · {ms === null ? "running" : took(ms)}{" "}
        · {sourceInWords[source]}
        {actor ? ` · ${actor}` : ""}
      </p>
    </li>
  );
};

const ToolList: FC<{ api: Api; id: string }> = ({ api, id }) => {
  const [tools, setTools] = useState<ToolsView | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    void api.tools(id).then((read) => (read.ok ? setTools(read.value) : setTrouble(read.problem.message)));
  }, [id]);
  if (trouble) return <p class="quiet">{trouble}</p>;
  if (!tools) return <p class="quiet">…</p>;
  return (
    <ul class="plain-list small">
      {tools.toolManifest.map((tool) => (
        <li key={tool.name}>
          <code>{tool.name}</code>{" "}
          <span class="quiet">
            {tool.permission.toLowerCase()}
            {tool.requires_confirmation ? ", asks first" : ""} · {tool.description}
          </span>
        </li>
      ))}
      {Object.entries(tools.disabledReasons).map(([name, reason]) => (
        <li key={name}>
          <code>{name}</code> <span class="quiet">not offered: {spaced(String(reason))}</span>
        </li>
      ))}
    </ul>
  );
};
