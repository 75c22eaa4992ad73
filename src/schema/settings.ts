// What an administrator may change while threads run. Takes effect with the next turn.
import * as z from "zod";
import { InboundWebhook, Webhook } from "./jobs/webhook.ts";

const ToolSwitches = z.record(z.string(), z.boolean());

export const Settings = z.object({
  tools: ToolSwitches,
  agents: z.record(z.string(), z.object({ tools: ToolSwitches })),
  /** Texts that replace the prompt hints of tools, by tool name. */
  prompt_hints: z.record(z.string(), z.string()).optional(),
  /** Ids of the tenant's schedules; each is a separate document. */
  schedules: z.array(z.string()).default([]),
  webhooks: z.array(Webhook).default([]),
  hooks: z.array(InboundWebhook).default([]),
});
export type Settings = z.infer<typeof Settings>;

export const NO_SETTINGS: Settings = { tools: {}, agents: {}, schedules: [], webhooks: [], hooks: [] };
