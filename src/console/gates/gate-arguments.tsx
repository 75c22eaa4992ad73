// Shows the exact arguments of a call as a readable list. The raw JSON and its digest are one click away.
import type { FC } from "hono/jsx/dom";
import type { Arguments } from "../../schema/decision/decision.ts";
import { t } from "../messages/messages.ts";
import { Code, Disclosure, VisibleJson, VisibleText } from "../parts/components.tsx";

export const GateArguments: FC<{ value: Arguments; digest?: string }> = ({ value, digest }) => (
  <>
    <dl class="arguments">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>
            <VisibleText text={name} />
          </dt>
          <dd>{typeof one === "string" ? <VisibleText text={one} /> : <VisibleJson value={one} compact />}</dd>
        </div>
      ))}
    </dl>
    <Disclosure label={t().gates.rawArguments}>
      {() => (
        <>
          <Code class="tool-args">
            <VisibleJson value={value} />
          </Code>
          {digest ? (
            <p class="quiet small">
              {t().gates.digest} <code>{digest}</code>
            </p>
          ) : null}
        </>
      )}
    </Disclosure>
  </>
);
