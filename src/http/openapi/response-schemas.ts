// The schemas of response bodies. Routes refer to them by name, because creating them would slow down every start, and
// only the OpenAPI document needs them.
import * as z from "zod";
import { DurableEvent, EphemeralEvent } from "../../schema/event.ts";
import { Gate } from "../../schema/gate.ts";
import { ThreadId } from "../../schema/ids.ts";
import { BudgetInput, CreateInput, TurnInput } from "../../schema/input.ts";
import { Schedule } from "../../schema/jobs/schedule.ts";
import {
  DeliveryLogEntry,
  InboundEventEntry,
  InboundWebhook,
  SigningSecret,
  Webhook,
} from "../../schema/jobs/webhook.ts";
import { Manifest } from "../../schema/manifest.ts";
import { Meta } from "../../schema/meta.ts";
import { Problem, ProblemCode } from "../../schema/problem.ts";
import { ProgressLine } from "../../schema/progress-line.ts";
import { Receipt } from "../../schema/receipt.ts";
import { Entry } from "../../schema/record.ts";
import { NextAction, ThreadView, TurnView } from "../../schema/turn-result.ts";
import { LiveFrame } from "../live/live-frames.ts";

export const ProblemBody = z.looseObject({
  type: z.string().describe("The path of a page that explains the problem."),
  title: z.string(),
  status: z.int(),
  code: ProblemCode,
  message: z.string(),
  detail: z.string(),
  hint: z.string().describe("What to do next."),
  retry: Problem.shape.retry,
  request_id: z.string().optional(),
});

const turnFields = { thread: ThreadView, turn: TurnView.nullable(), next: NextAction };
export const TurnResponse = z.object(turnFields);
export const ThreadResponse = z.object({ ...turnFields, metadata: z.record(z.string(), z.unknown()) });
export const RunResponse = z.object({
  ...turnFields,
  turns: z.array(TurnView),
  stopped: z.enum(["gate", "rest", "failed", "problem", "max_turns", "time", "step"]),
  problem: Problem.optional().describe("The problem that ended the request after at least one committed turn."),
});
export const RunOrTurnResponse = z.union([RunResponse, TurnResponse]);

export const WorkflowBody = z.object({
  name: z.string(),
  hash: z.string(),
  workflow: z.record(z.string(), z.unknown()),
  warnings: z.array(z.string()),
});
export const WorkflowList = z.object({
  workflows: z.array(
    z.object({ name: z.string(), hash: z.string(), description: z.string(), stored_at: z.iso.datetime() }),
  ),
});
export const WorkflowStep = z.object({
  step: z.string().describe("Hash of the step."),
  n: z.int(),
  role: z.string(),
  status: z.string(),
  prev: z.string().nullable(),
  /** In a list, the hash of the prompt; for a single step, its text. */
  prompt: z.string().nullable().describe("The prompt of the role; in a list only its hash."),
  attempts: z.array(z.string()).describe("Failed attempts that came before this step."),
  output: z.record(z.string(), z.unknown()),
  text: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export const StepList = z.object({
  steps: z.array(WorkflowStep),
  before: z.string().nullable().describe("Pass it to get the next page; null: there is none."),
});

export const VisitList = z.object({
  visits: z.array(
    z.object({
      n: z.int(),
      role: z.string(),
      status: z.string().nullable().describe("null while the role works; `error` for a failed attempt."),
      in_flight: z.boolean(),
      step: z.string().nullable().describe("Hash of the step or of the failed attempt; null while the role works."),
      turns: z.array(z.object({ index: z.int(), turn: z.int() })),
    }),
  ),
  total: z.int().describe("Turns before `offset` and `limit`."),
});

/** The response for a message that is queued for the next turn of a run. */
const QueuedBody = z.object({ queued: z.literal(true), position: z.int().min(1) });
export const TurnOrQueuedResponse = z.union([TurnResponse, QueuedBody]);

const damaged = z.array(z.string()).optional().describe("The ids of entries that cannot be read.");
const { schema: __, written: ___, ...scheduleFields } = Schedule.shape;
export const ScheduleView = z.object(scheduleFields);
export const ScheduleBody = z.object({ schedule: ScheduleView });
export const ScheduleList = z.object({ schedules: z.array(ScheduleView), damaged });

const secrets = z.array(SigningSecret.omit({ secret: true })).describe("When each was created and when it expires.");
const secret = z.string().describe("Shown once.");
export const WebhookView = Webhook.extend({ secrets });
export const WebhookBody = z.object({ webhook: WebhookView });
export const WebhookSecretBody = z.object({ webhook: WebhookView, secret });
export const WebhookList = z.object({ webhooks: z.array(WebhookView), damaged });
export const DeliveryList = z.object({ deliveries: z.array(DeliveryLogEntry) });
export const InboundWebhookView = InboundWebhook.omit({ token_sha256: true }).extend({ secrets });
export const InboundWebhookBody = z.object({ hook: InboundWebhookView });
export const InboundWebhookSecretBody = z.object({ hook: InboundWebhookView, secret });
export const NewInboundWebhookBody = z.object({
  hook: InboundWebhookView,
  path: z.string().describe("Shown once."),
  secret,
});
export const InboundEventList = z.object({ events: z.array(InboundEventEntry) });
export const InboundWebhookList = z.object({ hooks: z.array(InboundWebhookView), damaged });

const { thread: _, ...metaFields } = Meta.shape;
const cursor = z.string().nullable().describe("For the next page; null on the last one.");
export const ThreadList = z.object({
  threads: z.array(z.object({ id: ThreadId, ...metaFields })),
  cursor,
  order: z.enum(["created", "activity"]).optional().describe("If the request names an order."),
});
export const GateList = z.object({
  gates: z.array(
    z.object({
      thread: ThreadId,
      goal: z.string(),
      on_behalf_of: ThreadId.optional().describe("The thread whose sub-agent waits."),
      gate: Gate,
    }),
  ),
  cursor,
});

export const RecordView = z.object({
  version: z.int().min(0),
  size: z.int().min(0).describe("Bytes of the stored record, entry and state together."),
  ...Entry.shape,
});
export const RecordList = z.object({
  records: z.array(RecordView),
  after: z.int().nullable().describe("`after` for the next page; null on the last one."),
});
export const TurnRecords = z.object({ turn: TurnView, records: z.array(RecordView) });
export const PromptView = z.object({
  turn: z.int(),
  model: z.string(),
  purpose: z.enum(["plan", "execute", "deliver"]),
  messages: z.array(z.object({ role: z.enum(["system", "assistant", "user"]), content: z.string() })),
  roles: z
    .enum(["as_shown", "alternating"])
    .describe("alternating: the messages were merged for a provider that requires alternating roles"),
  exact: z
    .boolean()
    .nullable()
    .describe("whether these are the bytes that were sent; null: the record is too old to tell"),
});

export const EventPage = z.object({ events: z.array(DurableEvent), after: z.int().min(-1) });
export const LiveEvent = z.union([DurableEvent, EphemeralEvent]);

export const OperationPage = z.object({
  operation_id: z.string(),
  lines: z.array(ProgressLine),
  after: z.int().nullable().describe("`after` for the next page; null on the last one."),
});

export const ToolList = z.object({
  tool_names: z.array(z.string()),
  prompt_hints: z.record(z.string(), z.string()),
  manifests: z.array(Manifest),
  routes: z.record(z.string(), z.string()).describe("Where each tool runs."),
  disabled_reasons: z.record(z.string(), z.unknown()).describe("Why a tool is not offered, by tool."),
  toolNames: z.array(z.string()).describe("Alias of tool_names."),
  toolPromptHints: z.record(z.string(), z.string()).describe("Alias of prompt_hints."),
  toolManifest: z.array(Manifest).describe("Alias of manifests."),
  toolRuntimeRoutes: z.record(z.string(), z.string()).describe("Alias of routes."),
  disabledReasons: z.record(z.string(), z.unknown()).describe("Alias of disabled_reasons."),
});
export const ToolSwitchBody = z.object({
  name: z.string(),
  agent: z.string().nullable(),
  enabled: z.boolean(),
  prompt_hint: z.string().nullable().describe("The hint in the prompt: the replaced one, or that of the manifest."),
  version: z.int(),
});
export const BackgroundRunBody = z.object({
  background: ThreadView.shape.background,
  attempts: z.int().describe("Failed attempts of the turn that a worker tries now; 0 if the last one succeeded."),
  next_at: z.iso.datetime().nullable().describe("When a worker tries again; null if nothing is due."),
});
export const AgentList = z.object({
  agents: z.array(
    z.object({
      name: z.string(),
      default: z.boolean().describe("Used where a thread names no agent."),
      model: z.string().describe("The model that executes the steps."),
      tools: z.array(z.string()).nullable().describe("The configured tools; null: every tool that is switched on."),
    }),
  ),
});
export const TicketBody = z.object({ ticket: z.string(), expires_at: z.iso.datetime() });
export const HealthBody = z.object({ ok: z.literal(true), release: z.string() });
export const ReadinessBody = z.object({ ok: z.literal(true) });

/** The server's reply to a frame of the client. Generated clients know it by its name of 0.1, LiveAnswer. */
export const LiveReply = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response"), requestId: z.string(), response: TurnResponse }),
  z.object({ type: z.literal("problem"), requestId: z.string().nullable(), problem: ProblemBody }),
  z.object({ type: z.literal("pong") }),
]);

/** The schemas that become components of the document, to which all other schemas refer by name. */
export const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  Thread: ThreadView,
  Turn: TurnView,
  Gate,
  Receipt,
  Manifest,
  Record: RecordView,
  Problem: ProblemBody,
  StoredProblem: Problem,
  CreateInput,
  TurnInput,
  BudgetInput,
  DurableEvent,
  EphemeralEvent,
  Schedule: ScheduleView,
  Webhook: WebhookView,
  Hook: InboundWebhookView,
  LiveFrame,
  LiveAnswer: LiveReply,
  TurnResponse,
  ThreadResponse,
  RunResponse,
  ThreadList,
  GateList,
  RecordList,
  TurnRecords,
  PromptView,
  EventPage,
  OperationPage,
  ToolList,
};
