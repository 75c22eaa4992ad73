// Exports the client as `pawl/client`. It needs no Node modules, so it also runs in a browser.
export {
  type Client,
  createClient,
  type QueuedResponse,
  type RunResponse,
  type SendOptions,
  type TurnResponse,
} from "./client/client.ts";
export type { HookView, InboundWebhookView, ScheduleView, WebhookView } from "./client/jobs.ts";
export type { ClientFrame as AnswerFrame, LiveClient as Live, ServerFrame as LiveFrame } from "./client/live.ts";
export type { ServerSentEvent as SentEvent } from "./client/server-sent-events.ts";
export type { LiveEvent } from "./schema/event.ts";
export type { Gate } from "./schema/gate.ts";
export type { CreateInput, TurnInput } from "./schema/input.ts";
export type { Problem, ProblemCode, Result } from "./schema/problem.ts";
export type { ThreadView, TurnView } from "./schema/turn-result.ts";
