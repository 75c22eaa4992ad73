// The input that creates a thread for a calendar with real times.
import type { CreateInput } from "../../schema/input.ts";
import type { Api } from "../client/api.ts";

const PLANNER = "planner";

/** The agent for calendars, where the host has one; otherwise its default agent with the tools. */
export async function calendarAgent(api: Api): Promise<Pick<CreateInput, "agent" | "toolkits">> {
  const agents = await api.agents();
  const hasPlanner = agents.ok && agents.value.agents.some(({ name }) => name === PLANNER);
  return { toolkits: ["calendar"], ...(hasPlanner ? { agent: PLANNER } : {}) };
}
