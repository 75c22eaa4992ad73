// Describes this server to the console and the terminal: its release, model and agents, and the caller's access.
import * as z from "zod";
import { ApiKeyView, apiKeyView } from "../edge/api-keys.ts";
import { SCOPES } from "../edge/caller.ts";
import { requireWorker } from "../edge/worker.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type Route, route } from "../route.ts";

export const AboutBody = z.object({
  release: z.string(),
  model: z.string().describe("The name of the model that serves the default agent."),
  demo: z.boolean().describe("True where no model is configured and the built-in demo model answers."),
  data: z.string().nullable().describe("Where threads are stored; null unless only this machine can send requests."),
  worker: z.boolean().describe("True where background runs advance: a job worker runs for this server."),
  caller: z.object({ name: z.string(), scopes: z.array(z.enum(SCOPES)) }),
});
export type AboutBody = z.infer<typeof AboutBody>;
export type About = Pick<AboutBody, "model" | "demo" | "data">;

export const aboutRoutes = ({ model, demo, data }: About): readonly Route[] => [
  route(
    ["get", "/v1/about", "read"],
    (c) => {
      const { rt, release, local_only } = c.get("options");
      const { name, scopes } = c.get("caller");
      const caller = { name, scopes: [...scopes] };
      const worker = requireWorker(rt).ok;
      return respondJson(c, {
        release,
        model,
        demo,
        data: local_only ? data : null,
        worker,
        caller,
      } satisfies AboutBody);
    },
    {
      id: "about",
      summary: "Show the server's release and model, and the caller's scopes",
      responses: { 200: { description: "Release, model and caller.", schema: AboutBody } },
    },
  ),
  route(
    ["get", "/v1/keys", "admin"],
    (c) => respondJson(c, { keys: (c.get("options").keys?.(c.get("caller").tenant) ?? []).map(apiKeyView) }),
    {
      id: "listKeys",
      summary: "List the API keys of the tenant: names, scopes and expiry, never values",
      description: "Empty where the server has no keys and accepts only callers on the same machine.",
      responses: { 200: { description: "All keys.", schema: z.object({ keys: z.array(ApiKeyView) }) } },
    },
  ),
];

export const agentRoutes: readonly Route[] = [
  route(["get", "/v1/agents", "read"], listAgents, {
    id: "listAgents",
    summary: "List the agents",
    responses: { 200: { description: "All agents, by name.", schema: "AgentList" } },
  }),
];

/** Omits the instructions, which may be confidential. */
function listAgents(c: Ctx): Answer {
  const { config, pickModel } = c.get("options").rt;
  const agents = Object.entries(config.agents).map(([name, { tools }]) => ({
    name,
    default: name === config.default_agent,
    model: pickModel(name, "execute").name,
    tools,
  }));
  return respondJson(c, { agents: agents.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
}
