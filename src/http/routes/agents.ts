// The agents of the configuration. They are the same for every tenant.
import type { Ctx } from "../env.ts";
import { AgentList } from "../openapi/response-schemas.ts";
import { type Route, route } from "../route.ts";

export const agentRoutes: readonly Route[] = [
  route(["get", "/v1/agents", "read"], listAgents, {
    id: "listAgents",
    summary: "List the agents",
    responses: { 200: { description: "All agents, by name.", schema: AgentList } },
  }),
];

/** Instructions are left out: they may be confidential. */
function listAgents(c: Ctx): Response {
  const { config, pickModel } = c.get("options").rt;
  const agents = Object.entries(config.agents).map(([name, { tools }]) => ({
    name,
    default: name === config.default_agent,
    model: pickModel(name, "execute").name,
    tools,
  }));
  return c.json({ agents: agents.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
}
