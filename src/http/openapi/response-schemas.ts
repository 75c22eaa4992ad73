// The bodies of answers, as schemas of the same parts the runtime validates with. Registered names are shared components.
import { z } from "zod";
import { DurableEvent, EphemeralEvent } from "../../schema/event.ts";
import { Gate } from "../../schema/gate.ts";
import { ThreadId } from "../../schema/ids.ts";
import { BudgetInput, CreateInput, TurnInput } from "../../schema/input.ts";
import { Schedule, ScheduleId } from "../../schema/jobs/schedule.ts";
import { DeliveryLogEntry, InboundWebhook, SigningSecret, Webhook } from "../../schema/jobs/webhook.ts";
import { Manifest } from "../../schema/manifest.ts";
import { Meta } from "../../schema/meta.ts";
import { Problem, ProblemCode } from "../../schema/problem.ts";
import { ProgressLine } from "../../schema/progress-line.ts";
import { Receipt } from "../../schema/receipt.ts";
import { Entry } from "../../schema/record.ts";
import { NextAction, ThreadView, TurnView } from "../../schema/turn-result.ts";
import { LiveFrame } from "../live/live-frames.ts";

export const ProblemBody = z.looseObject({
  type: z.string().describe("A path of this server that explains the problem."),
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
  stopped: z.enum(["gate", "rest", "failed", "problem", "max_turns", "time"]),
  problem: Problem.optional().describe("What ended the call after at least one turn was committed."),
});

/** A message that waits for the next turn of a run. */
export const QueuedBody = z.object({ queued: z.literal(true), position: z.int().min(1) });

const { schema: __, written: ___, ...scheduleFields } = Schedule.shape;
export const ScheduleView = z.object(scheduleFields);
export const ScheduleBody = z.object({ schedule: ScheduleView });
export const ScheduleList = z.object({ schedules: z.array(ScheduleView), damaged: z.array(ScheduleId).optional() });

const secrets = z
  .array(SigningSecret.omit({ secret: true }))
  .describe("When each was made and until when it is valid.");
const secret = z.string().describe("Shown once.");
export const WebhookView = Webhook.extend({ secrets });
export const WebhookBody = z.object({ webhook: WebhookView });
export const WebhookSecretBody = z.object({ webhook: WebhookView, secret });
export const WebhookList = z.object({ webhooks: z.array(WebhookView) });
export const DeliveryList = z.object({ deliveries: z.array(DeliveryLogEntry) });
export const InboundWebhookView = InboundWebhook.omit({ token_sha256: true }).extend({ secrets });
export const InboundWebhookBody = z.object({ hook: InboundWebhookView });
export const InboundWebhookSecretBody = z.object({ hook: InboundWebhookView, secret });
export const NewInboundWebhookBody = z.object({
  hook: InboundWebhookView,
  path: z.string().describe("Shown once."),
  secret,
});
export const InboundWebhookList = z.object({ hooks: z.array(InboundWebhookView) });

const { thread: _, ...metaFields } = Meta.shape;
const cursor = z.string().nullable().describe("Where the next page begins; null on the last.");
export const ThreadList = z.object({ threads: z.array(z.object({ id: ThreadId, ...metaFields })), cursor });
export const GateList = z.object({
  gates: z.array(z.object({ thread: ThreadId, goal: z.string(), gate: Gate })),
  cursor,
});

export const RecordView = z.object({
  version: z.int().min(0),
  size: z.int().min(0).describe("Bytes of the stored record, entry and state together."),
  ...Entry.shape,
});
export const RecordList = z.object({
  records: z.array(RecordView),
  after: z.int().nullable().describe("The `after` of the next page; null on the last."),
});
export const TurnRecords = z.object({ turn: TurnView, records: z.array(RecordView) });
export const PromptView = z.object({
  turn: z.int(),
  model: z.string(),
  purpose: z.enum(["plan", "execute", "deliver"]),
  messages: z.array(z.object({ role: z.enum(["system", "assistant", "user"]), content: z.string() })),
});

export const EventPage = z.object({ events: z.array(DurableEvent), after: z.int().min(-1) });
export const LiveEvent = z.union([DurableEvent, EphemeralEvent]);

export const OperationPage = z.object({
  operation_id: z.string(),
  lines: z.array(ProgressLine),
  after: z.int().nullable().describe("The `after` of the next page; null on the last."),
});

export const ToolList = z.object({
  toolNames: z.array(z.string()),
  toolPromptHints: z.record(z.string(), z.string()),
  toolManifest: z.array(Manifest),
  toolRuntimeRoutes: z.record(z.string(), z.string()),
  disabledReasons: z.record(z.string(), z.unknown()),
});
export const ToolSwitchBody = z.object({
  name: z.string(),
  agent: z.string().nullable(),
  enabled: z.boolean(),
  version: z.int(),
});
export const TicketBody = z.object({ ticket: z.string(), expires_at: z.iso.datetime() });
export const HealthBody = z.object({ ok: z.literal(true), release: z.string() });
export const ReadinessBody = z.object({ ok: z.literal(true) });

/** One frame of the socket that is not an event: the answer to a frame of the client. */
export const LiveAnswer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response"), requestId: z.string(), response: TurnResponse }),
  z.object({ type: z.literal("problem"), requestId: z.string().nullable(), problem: ProblemBody }),
  z.object({ type: z.literal("pong") }),
]);

/** What is told under a name of its own and referred to by it everywhere else. */
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
  LiveAnswer,
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
