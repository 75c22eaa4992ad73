// The routes of threads, turns and gates, described.
import { z } from "zod";
import { CreateInput } from "../../schema/input.ts";
import { ThreadStateName } from "../../schema/thread.ts";
import { Fork } from "../routes/threads.ts";
import { TurnBody } from "../routes/turns.ts";
import {
  GateList,
  LiveEvent,
  PromptView,
  Queued,
  RecordList,
  RunResponse,
  ThreadList,
  ThreadResponse,
  TurnRecords,
  TurnResponse,
} from "./bodies.ts";
import type { Operation, QueryField } from "./operation.ts";

const limit: QueryField = { schema: z.int().min(1).max(200).optional(), says: "At most so many; 50 unless said." };
const cursor: QueryField = {
  schema: z.string().optional(),
  says: "As the previous page gave it, with the same filter.",
};

const turnStates = [
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

export const THREAD_OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /v1/threads": {
    id: "createThread",
    summary: "Create a thread",
    says: "Commits record 0; no model is called. With a goal the first run begins, without one the thread rests until its first message. `auto_approve` needs the scope `confirm`.",
    headers: ["Idempotency-Key"],
    body: CreateInput,
    example: { goal: "Say hello" },
    answers: {
      201: { says: "The thread.", schema: TurnResponse, headers: ["ETag", "Location", "Idempotency-Replayed"] },
      202: {
        says: 'With `run: "background"`: the thread, which a worker advances until the next gate or the end.',
        schema: TurnResponse,
        headers: ["ETag", "Location", "Idempotency-Replayed"],
      },
    },
    problems: ["idempotency_mismatch", "tool_unknown", "input_too_large", "record_too_large"],
  },
  "GET /v1/threads": {
    id: "listThreads",
    summary: "List threads, newest first",
    query: { state: { schema: ThreadStateName.optional(), says: "Only threads in this state." }, limit, cursor },
    answers: { 200: { says: "A page.", schema: ThreadList } },
    problems: ["request_invalid", "cursor_invalid"],
  },
  "GET /v1/threads/:id": {
    id: "getThread",
    summary: "Show a thread: state, open gate, plan, proofs, budget",
    answers: { 200: { says: "The thread as it is now.", schema: ThreadResponse, headers: ["ETag"] } },
    problems: ["thread_not_found", "state_corrupt", "newer_version"],
  },
  "DELETE /v1/threads/:id": {
    id: "deleteThread",
    summary: "Delete a thread with its records and blobs",
    headers: ["If-Match"],
    answers: { 204: { says: "Gone.", schema: null } },
    problems: ["thread_not_found", "version_mismatch"],
  },
  "POST /v1/threads/:id/turns": {
    id: "advance",
    summary: "Advance one turn, or several until something pauses the run",
    says: "Without `input` the thread goes on where it is. With `Accept: text/event-stream` the turn is told while it happens: live events, then the durable ones with their ids, at last `response` or `problem`. `confirm` and `resolve` need the scope `confirm`. `if_busy` says what becomes of a message while a run is at work: `reject` it (409), `enqueue` it for the next turn of a background run, `interrupt` the turn in flight, or `rollback` to the last delivery in a new thread.",
    query: {
      until: {
        schema: z.literal("pause").optional(),
        says: "Advance until a gate, rest, failed, a problem, max_turns or 25 seconds.",
      },
      max_turns: { schema: z.int().min(1).optional(), says: "With until=pause; 20 unless configured otherwise." },
    },
    headers: ["Idempotency-Key", "If-Match"],
    body: TurnBody,
    example: {},
    answers: {
      200: {
        says: "What the turn did. With until=pause also `turns` and `stopped`.",
        schema: z.union([RunResponse, TurnResponse]),
        stream: LiveEvent,
        headers: ["ETag", "Idempotency-Replayed"],
      },
      201: {
        says: "With if_busy=rollback: the turn of the new thread, and where it is.",
        schema: TurnResponse,
        headers: ["ETag", "Location"],
      },
      202: {
        says: "The cancellation is noted while a call is being carried out; or, with if_busy=enqueue, the message waits.",
        schema: z.union([TurnResponse, Queued]),
        headers: ["ETag"],
      },
    },
    problems: ["thread_not_found", "turn_not_found", "idempotency_mismatch", "input_too_large", ...turnStates],
  },
  "GET /v1/threads/:id/turns": {
    id: "listRecords",
    summary: "The records of a thread, oldest first",
    query: {
      after: { schema: z.int().min(-1).optional(), says: "Only records with a higher version; -1 from the beginning." },
      limit,
    },
    answers: { 200: { says: "A page.", schema: RecordList } },
    problems: ["thread_not_found", "request_invalid"],
  },
  "GET /v1/threads/:id/turns/:n": {
    id: "getTurn",
    summary: "One turn: what it did, and its records",
    answers: { 200: { says: "The turn.", schema: TurnRecords } },
    problems: ["thread_not_found", "turn_not_found"],
  },
  "GET /v1/threads/:id/turns/:n/prompt": {
    id: "getPrompt",
    summary: "The exact messages the model was sent in a turn",
    answers: { 200: { says: "The messages.", schema: PromptView } },
    problems: ["thread_not_found", "turn_not_found", "prompt_not_found", "blob_not_found"],
  },
  "POST /v1/threads/:id/fork": {
    id: "fork",
    summary: "Go on from an earlier turn, in a new thread",
    says: "Copies the records up to the end of that turn. An open gate gets a new id and digest.",
    body: Fork,
    example: { turn: 0 },
    answers: { 201: { says: "The new thread.", schema: TurnResponse, headers: ["Location"] } },
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
        says: "Also arguments above 4 KB, which are null in this list otherwise. GET thread always shows them.",
      },
    },
    answers: { 200: { says: "A page.", schema: GateList } },
    problems: ["request_invalid", "cursor_invalid"],
  },
};
