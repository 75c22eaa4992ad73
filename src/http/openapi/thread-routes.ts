// The routes of threads, turns and gates, described.
import { z } from "zod";
import { CreateInput } from "../../schema/input.ts";
import { ThreadStateName } from "../../schema/thread.ts";
import { ForkBody } from "../routes/threads.ts";
import { TurnBody } from "../routes/turns.ts";
import {
  GateList,
  LiveEvent,
  PromptView,
  QueuedBody,
  RecordList,
  RunResponse,
  ThreadList,
  ThreadResponse,
  TurnRecords,
  TurnResponse,
} from "./response-schemas.ts";
import type { QueryParameter, RouteDescription } from "./route-description.ts";

const limit: QueryParameter = {
  schema: z.int().min(1).max(200).optional(),
  description: "At most so many; 50 unless said.",
};
const cursor: QueryParameter = {
  schema: z.string().optional(),
  description: "As the previous page gave it, with the same filter.",
};

const turnProblems = [
  "thread_moved",
  "version_mismatch",
  "turn_running",
  "nothing_to_do",
  "delivery_pending",
  "thread_failed",
  "gate_open",
  "gate_closed",
  "gate_expired",
  "gate_mismatch",
  "digest_mismatch",
  "signal_refused",
  "newer_version",
  "budget_exhausted",
  "tool_disabled",
  "tool_changed",
  "tool_denied",
  "arguments_invalid",
  "decision_invalid",
  "decision_refused",
  "model_unavailable",
  "model_misconfigured",
  "turn_deadline",
  "prompt_too_large",
  "record_too_large",
  "state_corrupt",
] as const;

export const THREAD_ROUTES: Readonly<Record<string, RouteDescription>> = {
  "POST /v1/threads": {
    id: "createThread",
    summary: "Create a thread",
    description:
      "Commits record 0; no model is called. With a goal the first run begins, without one the thread rests until its first message. `auto_approve` needs the scope `confirm`.",
    headers: ["Idempotency-Key"],
    body: CreateInput,
    example: { goal: "Say hello" },
    responses: {
      201: { description: "The thread.", schema: TurnResponse, headers: ["ETag", "Location", "Idempotency-Replayed"] },
      202: {
        description: 'With `run: "background"`: the thread, which a worker advances until the next gate or the end.',
        schema: TurnResponse,
        headers: ["ETag", "Location", "Idempotency-Replayed"],
      },
    },
    problems: ["idempotency_mismatch", "tool_unknown", "input_too_large", "record_too_large"],
  },
  "GET /v1/threads": {
    id: "listThreads",
    summary: "List threads, newest first",
    query: { state: { schema: ThreadStateName.optional(), description: "Only threads in this state." }, limit, cursor },
    responses: { 200: { description: "A page.", schema: ThreadList } },
    problems: ["request_invalid", "cursor_invalid"],
  },
  "GET /v1/threads/:id": {
    id: "getThread",
    summary: "Show a thread: state, open gate, plan, proofs, budget",
    responses: { 200: { description: "The thread as it is now.", schema: ThreadResponse, headers: ["ETag"] } },
    problems: ["thread_not_found", "state_corrupt", "newer_version"],
  },
  "DELETE /v1/threads/:id": {
    id: "deleteThread",
    summary: "Delete a thread with its records and blobs",
    headers: ["If-Match"],
    responses: { 204: { description: "Gone.", schema: null } },
    problems: ["thread_not_found", "version_mismatch"],
  },
  "POST /v1/threads/:id/turns": {
    id: "advance",
    summary: "Advance one turn, or several until something pauses the run",
    description:
      "Without `input` the thread goes on where it is. With `Accept: text/event-stream` the turn is told while it happens: live events, then the durable ones with their ids, at last `response` or `problem`. `confirm` and `resolve` need the scope `confirm`. `if_busy` says what becomes of a message while a run is at work: `reject` it (409), `enqueue` it for the next turn of a background run, `interrupt` the turn in flight, or `rollback` to the last delivery in a new thread.",
    query: {
      until: {
        schema: z.literal("pause").optional(),
        description: "Advance until a gate, rest, failed, a problem, max_turns or 25 seconds.",
      },
      max_turns: {
        schema: z.int().min(1).optional(),
        description: "With until=pause; 20 unless configured otherwise.",
      },
    },
    headers: ["Idempotency-Key", "If-Match"],
    body: TurnBody,
    example: {},
    responses: {
      200: {
        description: "What the turn did. With until=pause also `turns` and `stopped`.",
        schema: z.union([RunResponse, TurnResponse]),
        stream: LiveEvent,
        headers: ["ETag", "Idempotency-Replayed"],
      },
      201: {
        description: "With if_busy=rollback: the turn of the new thread, and where it is.",
        schema: TurnResponse,
        headers: ["ETag", "Location"],
      },
      202: {
        description:
          "The cancellation is noted while a call is being carried out; or, with if_busy=enqueue, the message waits.",
        schema: z.union([TurnResponse, QueuedBody]),
        headers: ["ETag"],
      },
    },
    problems: ["thread_not_found", "turn_not_found", "idempotency_mismatch", "input_too_large", ...turnProblems],
  },
  "GET /v1/threads/:id/turns": {
    id: "listRecords",
    summary: "The records of a thread, oldest first",
    query: {
      after: {
        schema: z.int().min(-1).optional(),
        description: "Only records with a higher version; -1 from the beginning.",
      },
      limit,
    },
    responses: { 200: { description: "A page.", schema: RecordList } },
    problems: ["thread_not_found", "request_invalid"],
  },
  "GET /v1/threads/:id/turns/:n": {
    id: "getTurn",
    summary: "One turn: what it did, and its records",
    responses: { 200: { description: "The turn.", schema: TurnRecords } },
    problems: ["thread_not_found", "turn_not_found"],
  },
  "GET /v1/threads/:id/turns/:n/prompt": {
    id: "getPrompt",
    summary: "The exact messages the model was sent in a turn",
    responses: { 200: { description: "The messages.", schema: PromptView } },
    problems: ["thread_not_found", "turn_not_found", "prompt_not_found", "blob_not_found"],
  },
  "POST /v1/threads/:id/fork": {
    id: "fork",
    summary: "Go on from an earlier turn, in a new thread",
    description: "Copies the records up to the end of that turn. An open gate gets a new id and digest.",
    body: ForkBody,
    example: { turn: 0 },
    responses: { 201: { description: "The new thread.", schema: TurnResponse, headers: ["Location"] } },
    problems: ["thread_not_found", "turn_not_found", "turn_running"],
  },
  "GET /v1/gates": {
    id: "listGates",
    summary: "The open gates of all threads",
    query: {
      limit,
      cursor,
      arguments: {
        schema: z.literal("whole").optional(),
        description: "Also arguments above 4 KB, which are null in this list otherwise. GET thread always shows them.",
      },
    },
    responses: { 200: { description: "A page.", schema: GateList } },
    problems: ["request_invalid", "cursor_invalid"],
  },
};
