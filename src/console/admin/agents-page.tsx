// Shows the agents with their memories, and the skills, workflows and API keys, never the value of a key.
import { type Child, type FC, useState } from "hono/jsx/dom";
import type { AgentView } from "../../client/client.ts";
import type { About, Api } from "../client/api.ts";
import { usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, Fact, Pill } from "../parts/components.tsx";
import { ListPage } from "../parts/list-page.tsx";
import type { StartThread } from "../shell/home.tsx";
import { Keys } from "./keys.tsx";
import { Memories } from "./memories.tsx";
import { Skills } from "./skills.tsx";
import { Workflows } from "./workflows.tsx";

type Props = { readonly api: Api; readonly about: About | null; readonly onStart: StartThread };

export const AgentsPage: FC<Props> = ({ api, about, onStart }) => {
  const { value, failure } = usePolled(() => api.agents());
  const [hasMemories, setHasMemories] = useState(true);
  return (
    <ListPage title={t().nav.agents} failure={failure}>
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
      <Skills key="skills" api={api} />
      <Workflows key="workflows" api={api} worker={about?.worker ?? false} onStart={onStart} />
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
      {about?.caller.scopes.includes("admin") ? <Keys key="keys" api={api} /> : null}
    </ListPage>
  );
};

const AgentCard: FC<{ agent: AgentView; children?: Child }> = ({ agent, children }) => (
  <li class="job-card">
    <div class="row spread">
      <h2>{agent.name}</h2>
      {agent.default ? <Pill tone="good">{t().agents.default}</Pill> : null}
    </div>
    <dl class="job-facts">
      <Fact label={t().agents.model}>{agent.model}</Fact>
      <Fact label={t().nav.tools}>{agent.tools === null ? t().agents.allTools : t().common.list(agent.tools)}</Fact>
    </dl>
    {children}
  </li>
);
