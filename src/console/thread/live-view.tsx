// Shows the running turn: streamed text, discarded text, and the running tool.
import type { FC } from "hono/jsx/dom";
import type { Session } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Code } from "../parts/components.tsx";
import { Markdown } from "../parts/markdown.tsx";

export const LiveView: FC<{ session: Session; running: boolean }> = ({ session, running }) => {
  const live = useStore(session.live);
  if (!running && live.turn === null) return null;
  return (
    <div class="turn live" aria-live="off">
      {live.discarded ? (
        <div key="discarded" class="discarded">
          {live.discarded.text ? (
            <p>
              <del>{live.discarded.text}</del>
            </p>
          ) : null}
          <p class="small quiet">{t().thread.discarded(live.discarded.reason)}</p>
        </div>
      ) : null}
      {live.text ? (
        <div key="text" class="message message-agent">
          <Markdown text={live.text} />
        </div>
      ) : null}
      {live.tool ? (
        <div key="tool" class="tool-live">
          <p>
            <span class="spinner" aria-hidden="true" /> {t().thread.isRunning(live.tool.name)}
          </p>
          {live.tool.progress.length > 0 ? <Code>{live.tool.progress.join("\n")}</Code> : null}
        </div>
      ) : (
        <p key="wait" class="thinking quiet small">
          <span class="spinner" aria-hidden="true" /> {live.turn === null ? t().thread.sending : t().thread.thinking}
        </p>
      )}
    </div>
  );
};
