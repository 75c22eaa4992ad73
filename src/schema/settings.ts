// Defines the settings that an administrator may change while threads run. A change takes effect with the next turn.
import * as z from "zod";
import { ScheduleId } from "./jobs/schedule.ts";
import { InboundWebhook, Webhook } from "./jobs/webhook.ts";
import { parseJson } from "./json/parse-json.ts";
import { fail, ok, type Result } from "./problem.ts";

const ToolSwitches = z.record(z.string(), z.boolean());

export const Settings = z.object({
  tools: ToolSwitches,
  agents: z.record(z.string(), z.object({ tools: ToolSwitches })),
  /** Replacements for the prompt hints of tools, by tool name. */
  prompt_hints: z.record(z.string(), z.string()).optional(),
  /** Ids of the tenant's schedules. Each schedule is a separate document. */
  schedules: z.array(z.string()).default([]),
  webhooks: z.array(Webhook).default([]),
  hooks: z.array(InboundWebhook).default([]),
  /** Entries of the lists that cannot be read. They are stored separately, so that they neither hide the others nor get lost. */
  damaged: z
    .object({ schedules: z.array(z.unknown()), webhooks: z.array(z.unknown()), hooks: z.array(z.unknown()) })
    .optional(),
});
export type Settings = z.infer<typeof Settings>;

export const NO_SETTINGS: Settings = { tools: {}, agents: {}, schedules: [], webhooks: [], hooks: [] };

const LISTS = { schedules: ScheduleId, webhooks: Webhook, hooks: InboundWebhook };
const Switches = Settings.pick({ tools: true, agents: true, prompt_hints: true }).partial();
type ListName = keyof typeof LISTS;

const unreadable = () => fail("state_corrupt", "The stored settings of the tenant cannot be read.");

/** The fields are checked when they are used. */
export function readSettings(text: string): Result<Settings> {
  const value = parseJson(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? ok(value as Settings) : unreadable();
}

/** A field that is missing in an older document stays missing. */
export function checkSettings(stored: Record<string, unknown>): Result<Partial<Settings>> {
  // If the switches were dropped, a tool that an administrator disabled would be enabled again.
  if (!Switches.safeParse(stored).success) return unreadable();
  const lists = Object.keys(LISTS) as ListName[];
  if (lists.every((name) => stored[name] === undefined || isWhole(name, stored[name])))
    return ok(stored as Partial<Settings>);
  const split = lists.map((name) => [name, splitList(name, stored[name] ?? [])] as const);
  const readable = Object.fromEntries(split.map(([name, { whole }]) => [name, whole]));
  const before = (stored.damaged ?? {}) as Partial<Record<ListName, unknown[]>>;
  const damaged = Object.fromEntries(split.map(([name, { broken }]) => [name, [...(before[name] ?? []), ...broken]]));
  return ok({ ...stored, ...readable, damaged } as Partial<Settings>);
}

const isWhole = (name: ListName, list: unknown): boolean =>
  Array.isArray(list) && list.every((entry) => LISTS[name].safeParse(entry).success);

function splitList(name: ListName, list: unknown): { readonly whole: unknown[]; readonly broken: unknown[] } {
  if (!Array.isArray(list)) return { whole: [], broken: [list] };
  const isReadable = (entry: unknown): boolean => LISTS[name].safeParse(entry).success;
  return { whole: list.filter(isReadable), broken: list.filter((entry) => !isReadable(entry)) };
}

/** `unknown` stands for an entry without an id. */
export const damagedIds = ({ damaged }: Settings, name: ListName): readonly string[] =>
  (damaged?.[name] ?? []).map((entry) => {
    const id = typeof entry === "string" ? entry : ((entry as { id?: unknown } | null)?.id ?? "unknown");
    return String(id).slice(0, 100);
  });
