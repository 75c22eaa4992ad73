// Lists the API keys of the tenant with their names, scopes and expiry. The server never returns their values.
import type { FC } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Pill } from "../parts/components.tsx";
import { formatDateTime } from "../parts/format.ts";
import { ProblemCard } from "../parts/problem-card.tsx";

export const Keys: FC<{ api: Api }> = ({ api }) => {
  const { value, failure } = usePolled(() => api.keys());
  return (
    <section aria-label={t().agents.keys}>
      <h2 class="section-title">{t().agents.keys}</h2>
      <p class="quiet small">{value?.keys.length === 0 ? t().agents.noKeys : t().agents.keysLead}</p>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      <ul key="list" class="plain-list">
        {(value?.keys ?? []).map(({ name, scopes, expires_at }) => (
          <li key={name} class="row">
            <strong>{name}</strong>
            {scopes.map((scope) => (
              <Pill key={scope} tone="plain">
                {scope}
              </Pill>
            ))}
            {expires_at ? <span class="quiet small">{t().agents.expires(formatDateTime(expires_at))}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  );
};
