// Shows the card of a tool call with name, arguments, status and result.
import type { FC } from "hono/jsx/dom";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import { t } from "../messages/messages.ts";
import { Code, Disclosure, VisibleJson, VisibleText } from "../parts/components.tsx";
import { firstLine, formatBytes, formatElapsed, humanize, successLabel } from "../parts/format.ts";
import type { ToolResult } from "../thread/conversation.ts";
import { parseResult } from "./parse-result.ts";
import { renderResult } from "./renderers.tsx";

const SUCCESS_TONES = { true: "good", false: "bad", null: "wait" } as const;

export const ToolCard: FC<{ result: ToolResult; calendar: CalendarView | null; open?: boolean }> = (props) => {
  const { receipt, arguments: args, observation } = props.result;
  const ms = Date.parse(receipt.finished_at) - Date.parse(receipt.started_at);
  const successKey = `${receipt.success}` as keyof typeof SUCCESS_TONES;
  // A changed calendar is shown open. Its picture shows the same as the output, but in the language of the page and
  // without ids.
  const changed = parseResult(props.result, props.calendar).changes !== null;
  return (
    <section
      class={`tool-card tool-${SUCCESS_TONES[successKey]}`}
      aria-label={t().results.tool(humanize(receipt.name), successLabel(receipt))}
    >
      <Disclosure
        open={props.open ?? changed}
        label={
          <span class="tool-head">
            <span class="tool-dot" aria-hidden="true" />
            <code>{receipt.name}</code>
            <span class="tool-line">
              {changed ? null : <VisibleText text={firstLine(observation?.text ?? receipt.summary)} />}
            </span>
            <span class="quiet">{formatElapsed(ms)}</span>
          </span>
        }
      >
        {() => (
          <>
            <RenderedResult key="result" result={props.result} calendar={props.calendar} />
            {args && Object.keys(args).length > 0 ? (
              <Disclosure key="args" label={t().results.arguments}>
                {() => (
                  <Code class="tool-args">
                    <VisibleJson value={args} compact />
                  </Code>
                )}
              </Disclosure>
            ) : null}
            <p key="facts" class="quiet small">
              {t().labels.sources[receipt.source]} · {successLabel(receipt)} · {formatBytes(receipt.size)}
              {receipt.output_trust === "untrusted" ? ` · ${t().results.untrusted}` : ""}
              {receipt.actor ? ` · ${t().results.approvedBy(receipt.actor)}` : ""}
            </p>
          </>
        )}
      </Disclosure>
    </section>
  );
};

const RenderedResult: FC<{ result: ToolResult; calendar: CalendarView | null }> = ({ result, calendar }) => {
  const { name, content } = renderResult(parseResult(result, calendar));
  const { observation } = result;
  return (
    <div class="result" data-renderer={name}>
      {content}
      {observation?.blob ? <p class="quiet small">{t().results.truncated(formatBytes(observation.size))}</p> : null}
    </div>
  );
};
