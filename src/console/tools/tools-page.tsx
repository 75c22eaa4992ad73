// Shows the tools page, on which a tool is enabled or disabled for one agent or for all, or its prompt hint is
// replaced. Changes need the scope `admin`.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { Manifest } from "../../schema/manifest.ts";
import type { DisabledReason } from "../../tools/resolve.ts";
import type { Api } from "../client/api.ts";
import { usePolled } from "../jobs/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Pill } from "../parts/components.tsx";
import { SelectField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";

type ToolChange = Parameters<Api["changeTool"]>[1];

export const ToolsPage: FC<{ api: Api; agents: readonly string[] }> = ({ api, agents }) => {
  const [agent, setAgent] = useState("");
  useLayoutEffect(() => {
    document.title = t().common.appTitle(t().tools.title);
  }, []);
  return (
    <div class="inbox">
      <h1>{t().tools.title}</h1>
      <p class="quiet">{t().tools.lead}</p>
      {agents.length > 1 ? (
        <SelectField
          key="agent"
          label={t().tools.forAgent}
          name="agent"
          value={agent}
          options={[["", t().tools.everyAgent], ...agents.map((name) => [name, name] as const)]}
          onValue={setAgent}
        />
      ) : null}
      <ToolCards key={`tools-${agent}`} api={api} agent={agent || null} />
    </div>
  );
};

/** Shows a card for each tool. A tool is enabled or disabled for `agent` or, if that is null, for all agents. */
const ToolCards: FC<{ api: Api; agent: string | null }> = ({ api, agent }) => {
  const { value, failure, mutate } = usePolled(() => api.agentTools(agent));
  const change = (name: string, fields: ToolChange): void =>
    void mutate(
      agent !== null && fields.enabled !== undefined
        ? api.changeAgentTool(agent, name, fields.enabled)
        : api.changeTool(name, fields),
    );
  return (
    <>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      <ul key="list" class="gate-list">
        {(value?.manifests ?? []).map((tool) => (
          <ToolCard key={tool.name} tool={tool} onChange={(fields) => change(tool.name, fields)} />
        ))}
        {Object.entries(value?.disabled_reasons ?? {}).map(([name, reason]) => (
          <DisabledCard key={name} name={name} reason={reason} onEnable={() => change(name, { enabled: true })} />
        ))}
      </ul>
    </>
  );
};

const ToolCard: FC<{ tool: Manifest; onChange: (fields: ToolChange) => void }> = ({ tool, onChange }) => (
  <li class="job-card">
    <div class="row spread">
      <h2>
        <code>{tool.name}</code>
      </h2>
      <span class="row">
        <Pill tone="good">{tool.core ? t().tools.alwaysEnabled : t().common.enabled}</Pill>
        {tool.core ? null : (
          <button
            key="toggle"
            type="button"
            class="button small"
            aria-label={t().common.named(t().common.disable, tool.name)}
            onClick={() => onChange({ enabled: false })}
          >
            {t().common.disable}
          </button>
        )}
      </span>
    </div>
    <p class="small">{tool.description}</p>
    <HintForm key={`hint-${tool.prompt_hint ?? ""}`} tool={tool} onChange={onChange} />
  </li>
);

/** Edits the prompt hint. The key of this form contains the stored hint, so that a new one resets the text field. */
const HintForm: FC<{ tool: Manifest; onChange: (fields: ToolChange) => void }> = ({ tool, onChange }) => {
  const stored = tool.prompt_hint ?? "";
  const [hint, setHint] = useState(stored);
  const isChanged = hint.trim() !== "" && hint.trim() !== stored;
  return (
    <form
      class="hint-form"
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (isChanged) onChange({ prompt_hint: hint.trim() });
      }}
    >
      <label class="field grow">
        <span>{tool.prompt_hint_source === "settings" ? t().tools.hintReplaced : t().tools.hint}</span>
        <input
          type="text"
          name={`hint-${tool.name}`}
          maxLength={400}
          autocomplete="off"
          value={stored}
          onInput={(event: Event) => setHint((event.target as HTMLInputElement).value)}
        />
      </label>
      <div class="row">
        <button
          type="submit"
          class="button small"
          disabled={!isChanged}
          aria-label={t().common.named(t().tools.saveHint, tool.name)}
        >
          {t().common.save}
        </button>
        {tool.prompt_hint_source === "settings" ? (
          <button
            key="restore"
            type="button"
            class="button small quiet-button"
            aria-label={t().common.named(t().tools.restoreHint, tool.name)}
            onClick={() => onChange({ prompt_hint: null })}
          >
            {t().tools.restore}
          </button>
        ) : null}
      </div>
    </form>
  );
};

/** Offers to enable a tool only if an administrator disabled it. The other reasons come from the configuration. */
const DisabledCard: FC<{ name: string; reason: DisabledReason; onEnable: () => void }> = ({
  name,
  reason,
  onEnable,
}) => (
  <li class="job-card">
    <div class="row spread">
      <h2>
        <code>{name}</code>
      </h2>
      <span class="row">
        <Pill tone="wait">
          {reason === "global_off" ? t().common.disabled : t().tools.unavailable(t().tools.reasons[reason])}
        </Pill>
        {reason === "global_off" ? (
          <button
            key="toggle"
            type="button"
            class="button small"
            aria-label={t().common.named(t().common.enable, name)}
            onClick={onEnable}
          >
            {t().common.enable}
          </button>
        ) : null}
      </span>
    </div>
  </li>
);
