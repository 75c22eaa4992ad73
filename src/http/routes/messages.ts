// A message that may come while a run is at work: told as a turn, as a place in the line, or as a new thread.
import { type IfBusy, sendMessage } from "../../jobs/inbox/double-texting.ts";
import { problem } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";
import { hydrateProblem } from "../hydrate-gate.ts";
import { respondOutcome, respondProblem } from "../respond.ts";
import type { BaseTurnRequest } from "../turn-request.ts";

export const queuedBody = (position: number) => ({ queued: true, position });

export async function respondMessage(c: Ctx, request: BaseTurnRequest, if_busy: IfBusy): Promise<Response> {
  const { rt } = c.get("options");
  const message = request.input;
  if (message?.type !== "message") return respondProblem(c, problem("request_invalid", "input: only a message."));
  const sent = await sendMessage(rt, { ...request, last_turn: true }, message, if_busy);
  await rt.faults.at("respond.before");
  if (!sent.ok) return respondProblem(c, await hydrateProblem(rt, request.at, sent.problem));
  switch (sent.value.kind) {
    case "queued":
      return c.json(queuedBody(sent.value.position), 202);
    case "forked":
      c.header("location", `/v1/threads/${sent.value.at.thread}`);
      return respondOutcome(c, sent.value.advanced.outcome, sent.value.advanced.replayed, 201);
    case "advanced":
      return respondOutcome(c, sent.value.advanced.outcome, sent.value.advanced.replayed);
  }
}
