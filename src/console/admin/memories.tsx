// Lists what an agent remembers, with search, origin and deletion.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";
import type { MemoryView } from "../client/admin-api.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton, Pill, VisibleText } from "../parts/components.tsx";
import { TextField } from "../parts/fields.tsx";
import { formatDateTime } from "../parts/format.ts";
import { RemoveButton } from "../parts/list-page.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";

type Props = { readonly api: Api; readonly agent: string; readonly onMissing: () => void };

export const Memories: FC<Props> = ({ api, agent, onMissing }) => {
  const [query, setQuery] = useState("");
  const [memories, setMemories] = useState<readonly MemoryView[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = async (): Promise<void> => {
    const read = await api.memories(agent, query.trim());
    if (!read.ok && read.problem.code === "route_not_found") return onMissing();
    setProblem(read.ok ? null : read.problem);
    if (read.ok) setMemories(read.value.memories);
  };
  useLayoutEffect(() => {
    const timer = setTimeout(() => void load(), query ? 250 : 0);
    return () => clearTimeout(timer);
  }, [query]);
  const change = async (request: Promise<Result<void>>): Promise<void> => {
    const removed = await request;
    setProblem(removed.ok ? null : removed.problem);
    await load();
  };
  return (
    <>
      <TextField label={t().agents.searchMemories} name="memory" value={query} onValue={setQuery} />
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
      {memories?.length === 0 ? <p class="quiet small">{t().agents.noMemories}</p> : null}
      <ul class="plain-list">
        {(memories ?? []).map((memory) => (
          <li key={memory.name} class="row spread memory">
            <span>
              <strong>{memory.name}</strong> <VisibleText text={memory.text} />
              <span class="quiet small memory-facts">
                {formatDateTime(memory.saved_at)}{" "}
                {memory.trust === "untrusted" ? <Pill tone="wait">{t().results.untrusted}</Pill> : null}
                {memory.thread ? <a href={threadHref(memory.thread)}>{t().schedules.openThread}</a> : null}
              </span>
            </span>
            <RemoveButton onConfirm={() => void change(api.removeMemory(agent, memory.name))} />
          </li>
        ))}
      </ul>
      {memories && memories.length > 1 && !query ? (
        <ConfirmButton
          key="all"
          class="button small"
          label={t().agents.forgetAll}
          confirmLabel={t().agents.confirmForgetAll}
          onConfirm={() => void change(api.removeMemories(agent))}
        />
      ) : null}
    </>
  );
};
