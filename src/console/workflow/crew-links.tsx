// Links from a thread to its parent, and to the sub-agents that it waits for.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import { t } from "../messages/messages.ts";
import { threadHref } from "../shell/route.ts";

export const CrewLinks: FC<{ thread: ThreadView }> = ({ thread: { parent, children = [] } }) =>
  parent || children.length > 0 ? (
    <nav class="crew-links small" aria-label={t().workflow.crew}>
      {parent ? (
        <a key="parent" href={threadHref(parent)}>
          {t().workflow.parent}
        </a>
      ) : null}
      {children.map((child, i) => (
        <a key={child} href={threadHref(child)}>
          {t().workflow.child(i + 1)}
        </a>
      ))}
    </nav>
  ) : null;
