// Shows a timeline of tool calls, and the tools available to this thread.
import { type FC, memo, useMemo, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { useLoaded } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, TextButton } from "../parts/components.tsx";
import { formatDateTime, formatElapsed, formatTime } from "../parts/format.ts";
import { problemSentence } from "../parts/problem-card.tsx";
import type { Turn } from "../thread/conversation.ts";
import { type TimelineEntry, toolTimeline } from "./tool-timeline.ts";

/** The number of calls to show at first and to add at a time, which is enough to fill a tall window. */
const CALLS_SHOWN = 25;

const Panel: FC<{ api: Api; id: string; turns: readonly Turn[] }> = ({ api, id, turns }) => {
  const [shown, setShown] = useState(CALLS_SHOWN);
  const timeline = useMemo(() => toolTimeline(turns), [turns]);
  const longest = Math.max(1, ...timeline.map((one) => one.ms ?? 0));
  return (
    <div>
      <h3 class="panel-title">{t().panels.timeline}</h3>
      {timeline.length > shown ? (
        <TextButton key="more" onClick={() => setShown(shown + CALLS_SHOWN)}>
          {t().thread.earlier}
        </TextButton>
      ) : null}
      {timeline.length === 0 ? (
        <p key="none" class="quiet">
          {t().panels.noTools}
        </p>
      ) : (
        <ol key="calls" class="timeline">
          {timeline.slice(-shown).map((one) => (
            <TimelineRow key={one.id} entry={one} longest={longest} />
          ))}
        </ol>
      )}
      <Disclosure label={t().panels.available}>{() => <ToolList api={api} id={id} />}</Disclosure>
    </div>
  );
};

export const ToolsPanel = memo(Panel);

const TimelineRow: FC<{ entry: TimelineEntry; longest: number }> = ({ entry, longest }) => {
  const { name, turn, ms, status, source, actor, started_at } = entry;
  return (
    <li class={`timeline-row timeline-row-${status}`}>
      <p>
        <code>{name}</code> <span class="quiet small">{t().results[status]}</span>
      </p>
      <div class="bar" aria-hidden="true">
        <span style={{ width: `${Math.max(2, ((ms ?? longest) / longest) * 100)}%` }} />
      </div>
      <p class="quiet small">
        {t().panels.turn(turn)} · <time title={formatDateTime(started_at)}>{formatTime(started_at)}</time> ·{" "}
        {ms === null ? t().results.running : formatElapsed(ms)} · {t().labels.sources[source]}
        {actor ? ` · ${actor}` : ""}
      </p>
    </li>
  );
};

const ToolList: FC<{ api: Api; id: string }> = ({ api, id }) => {
  const { value: tools, problem } = useLoaded(() => api.tools(id), [id]);
  if (problem) return <p class="quiet">{problemSentence(problem)}</p>;
  if (!tools) return <p class="quiet">{t().common.loading}</p>;
  return (
    <ul class="plain-list small">
      {tools.manifests.map((tool) => (
        <li key={tool.name}>
          <code>{tool.name}</code>{" "}
          <span class="quiet">
            {t().tools.permissions[tool.permission]}
            {tool.requires_confirmation ? `, ${t().panels.requiresApproval}` : ""} · {tool.description}
          </span>
        </li>
      ))}
      {Object.entries(tools.disabled_reasons).map(([name, reason]) => (
        <li key={name}>
          <code>{name}</code> <span class="quiet">{t().tools.unavailable(t().tools.reasons[reason])}</span>
        </li>
      ))}
    </ul>
  );
};
