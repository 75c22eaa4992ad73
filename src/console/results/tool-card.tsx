// The card of a tool call: what was called with what, whether it worked, and what came back.
import type { FC } from "hono/jsx/dom";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import { Code, Fold, Visible, VisibleJson } from "../parts/bits.tsx";
import { bytes, firstLine, sourceInWords, spaced, took } from "../parts/words.ts";
import type { ToolResult } from "../thread/conversation.ts";
import { readResult } from "./read-result.ts";
import { createRegistry } from "./registry.ts";
import { RENDERERS } from "./renderers.tsx";

const registry = createRegistry(RENDERERS);

const SUCCESS = { true: "good", false: "bad", null: "wait" } as const;
const SUCCESS_WORDS = { true: "worked", false: "failed", null: "unknown" } as const;

export const ToolCard: FC<{ result: ToolResult; calendar: CalendarView | null; open?: boolean }> = (props) => {
  const { receipt, arguments: args, observation } = props.result;
  const ms = Date.parse(receipt.finished_at) - Date.parse(receipt.started_at);
  const how = `${receipt.success}` as keyof typeof SUCCESS;
  const changed = readResult(props.result, props.calendar).changes !== null;
  return (
    <section
      class={`tool-card tool-${SUCCESS[how]}`}
      aria-label={`Tool ${spaced(receipt.name)}: ${SUCCESS_WORDS[how]}`}
    >
      <Fold
        open={props.open ?? changed}
        label={
          <span class="tool-head">
            <span class="tool-dot" aria-hidden="true" />
            <code>{receipt.name}</code>
            <span class="tool-line">
              <Visible text={firstLine(observation?.text ?? receipt.summary)} />
            </span>
            <span class="quiet">{took(ms)}</span>
          </span>
        }
      >
        {() => (
          <>
            {args && Object.keys(args).length > 0 ? (
              <Code key="args" class="tool-args">
                <VisibleJson value={args} brief />
              </Code>
            ) : null}
            <Drawn key="result" result={props.result} calendar={props.calendar} />
            <p key="facts" class="quiet small">
              {sourceInWords[receipt.source]} · {SUCCESS_WORDS[how]} · {bytes(receipt.size)}
              {receipt.output_trust === "untrusted" ? " · untrusted text" : ""}
              {receipt.actor ? ` · let happen by ${receipt.actor}` : ""} · {receipt.id}
            </p>
          </>
        )}
      </Fold>
    </section>
  );
};

const Drawn: FC<{ result: ToolResult; calendar: CalendarView | null }> = ({ result, calendar }) => {
  const { by, drawn } = registry.draw(readResult(result, calendar));
  const { observation } = result;
  return (
    <div class="result" data-renderer={by}>
      {drawn}
      {observation?.blob ? (
        <p class="quiet small">
          This is the beginning; the whole text has {bytes(observation.size)} and is kept with the thread.
        </p>
      ) : null}
    </div>
  );
};
