// Lets the agent schedule a new thread, or a message to this one, at certain times. A person confirms it first.
import * as z from "zod";
import type { Schedules } from "../../ports/schedules.ts";
import { TenantId, ThreadId } from "../../schema/ids.ts";
import type { ScheduleInput } from "../../schema/jobs/schedule.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { outcome } from "../../tools/outcome.ts";

const Input = z.object({
  action: z.enum(["create", "cancel"]).describe("create a schedule, or cancel one"),
  id: z.string().max(64).optional().describe("cancel: id of the schedule"),
  name: z.string().min(1).max(120).optional().describe("create: display name"),
  cron: z.string().max(120).optional().describe("five fields, such as 0 9 * * 1-5; give one of cron, every_s and at"),
  time_zone: z
    .string()
    .max(64)
    .optional()
    .describe("time zone of the cron expression, such as Europe/Berlin; default: UTC"),
  every_s: z.int().min(10).max(31_536_000).optional().describe("interval in seconds"),
  at: z.iso.datetime().optional().describe("once, at this time in UTC, such as 2026-03-02T08:00:00Z"),
  goal: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe("starts a new thread with this goal each time; give goal or message"),
  message: z.string().min(1).max(4_096).optional().describe("sends this message to the current thread each time"),
  ends_at: z.iso.datetime().optional().describe("the schedule ends at this time"),
});
type Input = z.infer<typeof Input>;

const Output = z.object({ id: z.string(), name: z.string(), next_at: z.string().nullable(), cancelled: z.boolean() });

export const scheduleCron = (schedules: Schedules): Tool =>
  defineTool(
    {
      name: "schedule_cron",
      description: "Create or cancel a schedule: work that starts later, once or repeatedly.",
      toolset: "schedules",
      category: "schedules",
      permission: "WRITE",
      scope: "DB_WRITE",
      effect: "keyed",
      subagent_allowed: false,
      runs_later: true,
      prompt_hint: "Only for later work; do now what can be done now.",
      input: Input,
      output: Output,
      check: (input, context) => refusal(schedules, input, context),
      render: ({ id, name, next_at, cancelled }) =>
        cancelled ? `Schedule ${id} is cancelled.` : `Schedule ${id} (${name}) is due next at ${next_at}.`,
      examples: [
        {
          arguments: { action: "create", name: "daily report", cron: "0 9 * * 1-5", goal: "Write the daily report" },
          result: "Schedule sch_… (daily report) is due next at 2026-03-03T09:00:00.000Z.",
        },
      ],
    },
    async (input, context) =>
      input.action === "cancel" ? cancel(schedules, input, context) : create(schedules, input, context),
  );

/** Refuses an unknown schedule to cancel, and a new one that is invalid or never due. */
async function refusal(schedules: Schedules, input: Input, context: ToolContext): Promise<Failed | null> {
  const tenant = TenantId.parse(context.tenant);
  if (input.action === "cancel") {
    if (!input.id) return idNeeded();
    const listed = await schedules.list(tenant);
    if (!listed.ok) return listed;
    const known = listed.value.some(({ id }) => id === input.id);
    return known ? null : fail("schedule_not_found", `There is no schedule ${input.id}.`);
  }
  const schedule = toScheduleInput(input, context.thread);
  if (!("when" in schedule)) return schedule;
  const checked = await schedules.check?.(tenant, schedule);
  return checked && !checked.ok ? checked : null;
}

const idNeeded = (): Failed => fail("tool_refused", "To cancel a schedule, pass its id.");

async function create(schedules: Schedules, input: Input, context: ToolContext) {
  const schedule = toScheduleInput(input, context.thread);
  if (!("when" in schedule)) return schedule;
  const created = await schedules.create(TenantId.parse(context.tenant), {
    actor: `thread ${context.thread}`,
    key: context.idempotency_key ?? context.operation_id,
    input: schedule,
    untrusted: context.tainted ?? false,
  });
  if (!created.ok) return created;
  const { id, name, next_at } = created.value;
  return { id, name, next_at, cancelled: false };
}

async function cancel(schedules: Schedules, { id }: Input, { tenant }: ToolContext) {
  if (!id) return idNeeded();
  const removed = await schedules.remove(TenantId.parse(tenant), id);
  // A call that is resent after a crash may find the schedule already removed, which is the wanted result.
  if (!removed.ok && removed.problem.code !== "schedule_not_found") return removed;
  return { id, name: "", next_at: null, cancelled: true };
}

function toScheduleInput(input: Input, thread: string): ScheduleInput | Failed {
  const { name, cron, time_zone = "UTC", every_s, at, goal, message, ends_at } = input;
  const when = [
    ...(cron ? [{ kind: "cron" as const, expression: cron, time_zone }] : []),
    ...(every_s ? [{ kind: "interval" as const, every_s }] : []),
    ...(at ? [{ kind: "once" as const, at }] : []),
  ];
  const text = { type: "message" as const, text: message ?? "" };
  const what = [
    ...(goal ? [{ kind: "thread" as const, create: { goal } }] : []),
    ...(message ? [{ kind: "message" as const, thread: ThreadId.parse(thread), message: text }] : []),
  ];
  const [timing] = when;
  const [work] = what;
  if (!name) return fail("tool_refused", "A schedule needs a name.");
  if (!timing || when.length > 1) return fail("tool_refused", "Pass exactly one of cron, every_s and at.");
  if (!work || what.length > 1) return fail("tool_refused", "Pass either goal or message.");
  return { name, when: timing, what: work, ...(ends_at ? { ends_at } : {}) };
}

export const listSchedules = (schedules: Schedules): Tool =>
  defineTool(
    {
      name: "list_schedules",
      description: "List the schedules and when each is due next.",
      toolset: "schedules",
      category: "schedules",
      supersedes: true,
      input: z.object({}),
      output: z.array(
        z.object({ id: z.string(), name: z.string(), enabled: z.boolean(), next_at: z.string().nullable() }),
      ),
      render: (rows) =>
        rows
          .map(({ id, name, enabled, next_at }) => `${id} ${name}: ${enabled ? `next ${next_at ?? "never"}` : "off"}`)
          .join("\n") || "There are no schedules.",
      examples: [{ arguments: {}, result: "sch_… daily report: next 2026-03-03T09:00:00.000Z" }],
    },
    async (_input, { tenant }) => {
      const listed = await schedules.list(TenantId.parse(tenant));
      if (!listed.ok) return listed;
      const rows = listed.value.map(({ id, name, enabled, next_at }) => ({ id, name, enabled, next_at }));
      // The name of a schedule may come from a thread that read untrusted instructions.
      return listed.value.some(({ untrusted }) => untrusted) ? outcome(rows, { output_trust: "untrusted" }) : rows;
    },
  );
