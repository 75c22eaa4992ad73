// The line below the head of a thread that runs in the background: what it does now, why it stopped, what one may do.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/outcome.ts";
import type { Session, SwitchVerb, ThreadData } from "../client/session.ts";
import { Pill, useNow, Visible } from "../parts/bits.tsx";
import { ago, span } from "../parts/words.ts";
import { isAtWork, readReason, runWords } from "./background-words.ts";

/** Longer than a turn may take: then something keeps it. */
const SILENT_MS = 180_000;

const BUTTONS: Readonly<Record<"on" | "paused" | "dead", { readonly verb: SwitchVerb; readonly label: string }>> = {
  on: { verb: "pause", label: "Pause" },
  paused: { verb: "resume", label: "Resume" },
  dead: { verb: "run", label: "Revive" },
};

type StripProps = { readonly thread: ThreadView; readonly data: ThreadData; readonly session: Session };

export const BackgroundStrip: FC<StripProps> = ({ thread, data, session }) => {
  const now = useNow(5000);
  const words = runWords(thread);
  if (!words || !thread.background) return null;
  const { status, reason } = thread.background;
  const { verb, label } = BUTTONS[status];
  const silent_ms = isAtWork(thread) ? now - Date.parse(thread.updated_at) : 0;
  // Not disabled meanwhile: the focus of whoever works by keyboard would be lost with it.
  const press = (wanted: SwitchVerb): void => {
    if (data.switching === null) void session.switchRun(wanted);
  };
  return (
    <section class={`background background-${words.tone}`} aria-label="Background run">
      <div class="background-words">
        <p class="row">
          <Pill tone={words.tone}>
            {isAtWork(thread) ? <span class="spinner" aria-hidden="true" /> : null}
            {words.label}
          </Pill>
          <span>{words.sentence}</span>
          {isAtWork(thread) ? <span class="quiet small">Last turn {ago(thread.updated_at, now)}.</span> : null}
        </p>
        {reason ? <Reason reason={reason} /> : null}
        {silent_ms > SILENT_MS ? (
          <p class="note">
            No turn for {span(silent_ms)}. A turn that fails is tried again, after pauses that grow to a quarter of an
            hour.
          </p>
        ) : null}
      </div>
      <div class="row">
        {silent_ms > SILENT_MS ? (
          <button key="now" type="button" class="button small" onClick={() => press("run")}>
            Try now
          </button>
        ) : null}
        <button
          key="switch"
          type="button"
          class={`button small ${status === "on" ? "" : "primary"}`}
          aria-busy={data.switching ? "true" : "false"}
          onClick={() => press(verb)}
        >
          {label}
        </button>
      </div>
    </section>
  );
};

const Reason: FC<{ reason: string }> = ({ reason }) => {
  const { code, message } = readReason(reason);
  return (
    <p class="background-reason">
      {code ? <span class="problem-code">{code.replaceAll("_", " ")} </span> : null}
      <Visible text={message} />{" "}
      <span class="problem-hint">
        See what kept it, then revive it.{" "}
        {code ? (
          <a href={`/problems/${code}`} target="_blank" rel="noreferrer">
            About this problem
          </a>
        ) : null}
      </span>
    </p>
  );
};
