// The agents of the configuration, what each remembers, and the name and scopes of the caller. Never the value of a key.
import type { FC } from "hono/jsx/dom";
import { useEffect, useState } from "hono/jsx/dom";
import type { AgentView } from "../../client/client.ts";
import type { About, Api } from "../client/api.ts";
import { usePolled } from "../jobs/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, Pill } from "../parts/components.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { Memories } from "./memories.tsx";

export const AgentsPage: FC<{ api: Api; about: About | null }> = ({ api, about }) => {
  const { value, failure } = usePolled(() => api.agents());
  const [hasMemories, setHasMemories] = useState(true);
  useEffect(() => {
    document.title = t().common.appTitle(t().agents.title);
  }, []);
  return (
    <div class="inbox">
      <h1>{t().agents.title}</h1>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      <ul key="list" class="gate-list">
        {(value?.agents ?? []).map((agent) => (
          <AgentCard key={agent.name} agent={agent}>
            {hasMemories ? (
              <Disclosure label={t().agents.memories}>
                {() => <Memories api={api} agent={agent.name} onMissing={() => setHasMemories(false)} />}
              </Disclosure>
            ) : (
              <p class="quiet small">{t().agents.noMemoryToolkit}</p>
            )}
          </AgentCard>
        ))}
      </ul>
      <section key="access">
        <h2 class="section-title">{t().agents.access}</h2>
        <p class="quiet small">{t().agents.accessLead}</p>
        <p class="row">
          <strong>{about?.caller.name}</strong>
          {(about?.caller.scopes ?? []).map((scope) => (
            <Pill key={scope} tone="plain">
              {scope}
            </Pill>
          ))}
        </p>
      </section>
    </div>
  );
};

const AgentCard: FC<{ agent: AgentView; children?: unknown }> = ({ agent, children }) => (
  <li class="job-card">
    <div class="row spread">
      <h2>{agent.name}</h2>
      {agent.default ? <Pill tone="good">{t().agents.default}</Pill> : null}
    </div>
    <dl class="job-facts">
      <dt>{t().agents.model}</dt>
      <dd>{agent.model}</dd>
      <dt>{t().tools.title}</dt>
      <dd>{agent.tools === null ? t().agents.allTools : t().common.list(agent.tools)}</dd>
    </dl>
    {children as never}
  </li>
);
