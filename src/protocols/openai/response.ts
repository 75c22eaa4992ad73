// Builds the response object from the records of one run. It contains every field that clients require.
import type { ThreadRef } from "../../schema/ids.ts";
import type { Problem } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { nextAction } from "../../turn/view.ts";
import { endProblem } from "../shared/problems.ts";
import { createUsage } from "../shared/usage.ts";
import { conversationId, responseId } from "./ids.ts";
import type { OutputItem } from "./items.ts";

export type ResponseFacts = {
  readonly at: ThreadRef;
  readonly first: ThreadRecord;
  readonly previous_response_id: string | null;
  readonly background: boolean;
  readonly metadata: Record<string, string>;
  /** True if a later input has begun another response. This one then gets no more items. */
  readonly closed?: boolean;
};

type Ending = {
  readonly head: ThreadRecord;
  readonly records: readonly ThreadRecord[];
  readonly output: readonly OutputItem[];
  readonly failure: Problem | null;
};

const NOT_USED = {
  instructions: null,
  parallel_tool_calls: false,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
  max_output_tokens: null,
  max_tool_calls: null,
  access_programs: null,
  reasoning: { effort: null, summary: null },
  text: { format: { type: "text" } },
  truncation: "disabled",
  user: null,
  service_tier: "default",
  store: true,
};

const secondsOf = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

export function startedResponse(facts: ResponseFacts) {
  const { at, first, previous_response_id, background, metadata } = facts;
  return {
    id: responseId(at.thread, first.version),
    object: "response",
    created_at: secondsOf(first.entry.at),
    completed_at: null as number | null,
    status: "in_progress",
    background,
    error: null as object | null,
    incomplete_details: null as object | null,
    model: first.state.agent,
    output: [] as readonly OutputItem[],
    previous_response_id,
    conversation: { id: conversationId(at.thread) },
    metadata,
    usage: null as object | null,
    ...NOT_USED,
  };
}

export function endedResponse(facts: ResponseFacts, { head, records, output, failure }: Ending) {
  const problem = failure ?? endProblem(head);
  const { outcome } = head.state.machine;
  const advances = !problem && nextAction(head.state) === "advance";
  const running = advances && !facts.closed;
  const ended = advances ? "cancelled" : statusOf(problem, outcome);
  const status = running ? "in_progress" : ended;
  return {
    ...startedResponse(facts),
    status,
    completed_at: running ? null : secondsOf(head.entry.at),
    output,
    // OpenAI's lists of codes are fixed, so Pawl's code is given in the message and in the metadata.
    error:
      status === "failed" && problem ? { code: "server_error", message: `${problem.message} (${problem.code})` } : null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    metadata: {
      ...facts.metadata,
      ...(problem && { pawl_code: problem.code }),
      ...(outcome && { pawl_outcome: outcome }),
    },
    usage: usageOf(records),
  };
}

function statusOf(problem: Problem | null, outcome: string | null): string {
  if (problem?.code === "budget_exhausted") return "incomplete";
  if (problem) return "failed";
  return outcome === "cancelled" ? "cancelled" : "completed";
}

function usageOf(records: readonly ThreadRecord[]) {
  const usage = createUsage();
  for (const { entry } of records) usage.add(entry);
  return {
    ...usage.total(),
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
}

export type ResponseObject = ReturnType<typeof endedResponse>;
