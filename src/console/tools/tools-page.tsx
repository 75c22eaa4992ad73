// Enables or disables tools for one agent or for all, and replaces prompt hints.
import { type Child, type FC, useState } from "hono/jsx/dom";
import type { Manifest } from "../../schema/manifest.ts";
import type { DisabledReason } from "../../tools/resolve.ts";
import type { Api } from "../client/api.ts";
import { usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Pill } from "../parts/components.tsx";
import { inputValue, onSubmit } from "../parts/events.ts";
import { SelectField } from "../parts/fields.tsx";
import { ListPage, ToggleButton } from "../parts/list-page.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";

type ToolChange = Parameters<Api["changeTool"]>[1];

export const ToolsPage: FC<{ api: Api; agents: readonly string[] }> = ({ api, agents }) => {
  const [agent, setAgent] = useState("");
  return (
    <ListPage title={t().nav.tools} lead={t().tools.lead}>
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
    </ListPage>
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

const Card: FC<{ name: string; status: Child; children?: Child }> = ({ name, status, children }) => (
  <li class="job-card">
    <div class="row spread">
      <h2>
        <code>{name}</code>
      </h2>
      <span class="row">{status}</span>
    </div>
    {children}
  </li>
);

const ToolCard: FC<{ tool: Manifest; onChange: (fields: ToolChange) => void }> = ({ tool, onChange }) => (
  <Card
    name={tool.name}
    status={
      <>
        <Pill tone="good">{tool.core ? t().tools.alwaysEnabled : t().common.enabled}</Pill>
        {tool.core ? null : <ToggleButton name={tool.name} enabled onToggle={() => onChange({ enabled: false })} />}
      </>
    }
  >
    <p class="small">{tool.description}</p>
    <HintForm key={`hint-${tool.prompt_hint ?? ""}`} tool={tool} onChange={onChange} />
  </Card>
);

/** Edits the prompt hint. The key of this form contains the stored hint, so that a new one resets the text field. */
const HintForm: FC<{ tool: Manifest; onChange: (fields: ToolChange) => void }> = ({ tool, onChange }) => {
  const stored = tool.prompt_hint ?? "";
  const [hint, setHint] = useState(stored);
  const isChanged = hint.trim() !== "" && hint.trim() !== stored;
  return (
    <form
      class="hint-form"
      onSubmit={onSubmit(() => {
        if (isChanged) onChange({ prompt_hint: hint.trim() });
      })}
    >
      <label class="field grow">
        <span>{tool.prompt_hint_source === "settings" ? t().tools.hintReplaced : t().tools.hint}</span>
        <input
          type="text"
          name={`hint-${tool.name}`}
          maxLength={400}
          autocomplete="off"
          value={stored}
          onInput={(event: Event) => setHint(inputValue(event))}
        />
      </label>
      <div class="row">
        <Button
          type="submit"
          class="small"
          disabled={!isChanged}
          aria-label={t().common.named(t().tools.saveHint, tool.name)}
        >
          {t().common.save}
        </Button>
        {tool.prompt_hint_source === "settings" ? (
          <Button
            key="restore"
            class="small quiet-button"
            aria-label={t().common.named(t().tools.restoreHint, tool.name)}
            onClick={() => onChange({ prompt_hint: null })}
          >
            {t().tools.restore}
          </Button>
        ) : null}
      </div>
    </form>
  );
};

type DisabledProps = { readonly name: string; readonly reason: DisabledReason; readonly onEnable: () => void };

/** Offers to enable a tool only if an administrator disabled it. The other reasons come from the configuration. */
const DisabledCard: FC<DisabledProps> = ({ name, reason, onEnable }) => (
  <Card
    name={name}
    status={
      reason === "global_off" ? (
        <>
          <Pill tone="wait">{t().common.disabled}</Pill>
          <ToggleButton name={name} enabled={false} onToggle={onEnable} />
        </>
      ) : (
        <Pill tone="wait">{t().tools.unavailable(t().tools.reasons[reason])}</Pill>
      )
    }
  />
);
