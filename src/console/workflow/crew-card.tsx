// Shows the threads related to this one: a link to its parent, and a card with the state and outcome of each sub-agent.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Pill } from "../parts/components.tsx";
import { firstLine } from "../parts/format.ts";
import { stateLabel } from "../parts/state-labels.ts";
import { gateHref, threadHref } from "../shell/route.ts";
import type { Turn } from "../thread/conversation.ts";

const POLL_MS = 3000;

type Props = { readonly api: Api; readonly thread: ThreadView; readonly turns: readonly Turn[] };

export const CrewCard: FC<Props> = ({ api, thread, turns }) => {
  const ids = childrenOf(thread, turns);
  const children = useChildren(api, ids, (thread.children ?? []).length > 0);
  if (!thread.parent && ids.length === 0) return null;
  return (
    <section class="crew small" aria-label={t().workflow.crew}>
      {thread.parent ? (
        <a key="parent" href={threadHref(thread.parent)}>
          {t().workflow.parent}
        </a>
      ) : null}
      {ids.length > 0 ? <h2 key="title">{t().workflow.children}</h2> : null}
      <ol key="children" class="plain-list">
        {ids.map((id, i) => (
          <ChildRow key={id} id={id} n={i + 1} child={children.get(id) ?? null} />
        ))}
      </ol>
    </section>
  );
};

const ChildRow: FC<{ id: string; n: number; child: ThreadView | null }> = ({ id, n, child }) => {
  const status = child ? stateLabel(child, child.background?.status) : null;
  const goal = child ? firstLine(child.title ?? child.goal) : "";
  return (
    <li class="row spread">
      <a href={threadHref(id)}>{goal || t().workflow.child(n)}</a>
      <span class="row">
        {child?.gate ? (
          <a key="gate" href={gateHref(id)}>
            {t().labels.gateKinds[child.gate.kind]}
          </a>
        ) : null}
        {status ? <Pill tone={status.tone}>{status.label}</Pill> : null}
      </span>
    </li>
  );
};

/** Reads the children once, and repeatedly while the parent waits for them. */
function useChildren(api: Api, ids: readonly string[], isWaiting: boolean): ReadonlyMap<string, ThreadView> {
  const [children, setChildren] = useState<ReadonlyMap<string, ThreadView>>(new Map());
  const key = ids.join(" ");
  useLayoutEffect(() => {
    if (ids.length === 0) return;
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const read = await Promise.all(ids.map((id) => api.get(id)));
      const found = read.flatMap((one) => (one.ok ? [one.value.thread] : []));
      if (isCurrent) setChildren(new Map(found.map((thread) => [thread.id as string, thread])));
    };
    void load();
    const timer = isWaiting ? setInterval(() => void load(), POLL_MS) : null;
    return () => {
      isCurrent = false;
      if (timer) clearInterval(timer);
    };
  }, [key, isWaiting]);
  return children;
}

const THREAD_ID = /^thr_[0-9a-z]{26}$/;

/** Returns the sub-agents of a thread: those that it waits for, and those whose results it has. */
export function childrenOf({ children = [] }: Pick<ThreadView, "children">, turns: readonly Turn[]): readonly string[] {
  const reported = turns.flatMap(({ records }) =>
    records.flatMap(({ observation }) => (observation ? reportedChildren(observation.text) : [])),
  );
  return [...new Set([...reported, ...children])];
}

/** Returns the children from the result of a delegation. Other results have no such list. */
function reportedChildren(text: string): readonly string[] {
  if (!text.includes('"children"')) return [];
  try {
    const { children } = JSON.parse(text) as { children?: unknown };
    return Array.isArray(children) ? children.flatMap((child) => threadOf(child)) : [];
  } catch {
    return [];
  }
}

const threadOf = (child: unknown): readonly string[] => {
  const id = (child as { thread?: unknown } | null)?.thread;
  return typeof id === "string" && THREAD_ID.test(id) ? [id] : [];
};
