// Defines the route of AG-UI, which takes a RunAgentInput and streams the frames of a run.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { respondProblem } from "../../http/respond.ts";
import type { Answer, Route } from "../../http/route.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { replay } from "../../turn/admit/replay.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { declaredTools } from "../shared/declared-tools.ts";
import { createPartReader, type PartReader } from "../shared/parts.ts";
import { findThread, type PreparedRun, prepareRun } from "../shared/prepare-run.ts";
import { requestKey } from "../shared/request-key.ts";
import { peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { createProtocolRun, runThread } from "../shared/run-thread.ts";
import { protocolRoute } from "../shared/surface.ts";
import { type AguiFrame, aguiFrames, messageIdOf } from "./frames.ts";
import { AguiRequest, answeredElsewhere, inputOf } from "./request.ts";

export const aguiRoutes: readonly Route[] = [
  protocolRoute("agui", ["post", "/agui", "advance"], postRun, {
    id: "runAgui",
    summary: "Run an agent for an AG-UI client",
    description:
      "The body is the RunAgentInput of AG-UI, the response its event stream. `threadId` may be any id. A repeated `runId` gets the same run. Approving needs the scope `confirm`.",
    body: AguiRequest,
    example: { threadId: "chat-1", runId: "run-1", messages: [{ id: "m1", role: "user", content: "Say hello" }] },
    responses: {
      200: {
        description: "The frames of the run, each as JSON in a `data` line.",
        schema: z.looseObject({ type: z.string() }),
        type: "text/event-stream",
      },
    },
    problems: [
      "thread_not_found",
      "input_too_large",
      "gate_closed",
      "digest_mismatch",
      "turn_running",
      "tool_name_taken",
    ],
  }),
];

type Prepared = PreparedRun & {
  readonly request: AguiRequest;
  /**
   * The records to send before new ones: those of this run if its `runId` was sent before, or those since another
   * client answered the interrupt that this request cancels. Empty for any other request.
   */
  readonly past: readonly ThreadRecord[];
};

async function postRun(c: Ctx): Promise<Answer> {
  const prepared = await prepare(c);
  if (!prepared.ok) return prepared;
  const { request, at, thread, start, past } = prepared.value;
  const { first, all } = await peek(runThread(createProtocolRun(c, at), { ...start, past }));
  // A message while an interrupt is open is reported as a run that ends with an error. Any other refusal is an ordinary
  // response with the status of its problem.
  if (first?.type === "problem" && first.problem.code !== "gate_open") return respondProblem(c, first.problem);
  const reader = () => createPartReader(c.get("options").rt, at, thread);
  const source = {
    request: { ...request, messages: await messagesBefore(request, past, reader()) },
    thread,
    events: all,
    read: reader(),
    repeated: past.length > 0,
  };
  return respondFrames(c, toData(aguiFrames(source)));
}

/** Drops the messages of a repeated run, which is sent again, because the client may have kept incomplete text. */
async function messagesBefore(
  { messages }: AguiRequest,
  past: readonly ThreadRecord[],
  read: PartReader,
): Promise<AguiRequest["messages"]> {
  const [first] = past;
  if (!first) return messages;
  const ids = new Set<string>();
  for (const record of past) for (const part of await read(record)) ids.add(messageIdOf(part));
  const isNewText = (id: string): boolean => Number(/^txt_(\d+)/.exec(id)?.[1] ?? -1) >= first.entry.turn;
  return messages.filter(({ id }) => !ids.has(id) && !isNewText(id));
}

async function* toData(frames: AsyncIterable<AguiFrame>) {
  for await (const frame of frames) yield { data: JSON.stringify(frame) };
}

async function recordsOf(
  rt: Runtime,
  target: Pick<TurnRequest, "at" | "key">,
  thread: Thread,
  request: AguiRequest,
): Promise<Result<readonly ThreadRecord[]>> {
  const replayed = await replay(rt, target, thread);
  if (!replayed.ok) return replayed;
  if (replayed.value.kind !== "new") return ok(replayed.value.records);
  const from = answeredElsewhere(request, thread);
  return from === null ? ok([]) : readRecords(rt, target.at, from, thread.version);
}

async function prepare(c: Ctx): Promise<Result<Prepared>> {
  const { rt } = c.get("options");
  const body = await readLooseBody(c, AguiRequest);
  if (!body.ok) return body;
  const request = body.value;
  const { threadId, runId, resume, messages, forwardedProps } = request;
  const found = await findThread(c, "agui", threadId);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  const key = requestKey(rt.hash, `agui:${runId}`, {
    resume,
    message: messages.findLast(({ role }) => role === "user"),
  });
  const tools = declaredTools(request.tools, "parameters");
  if (!tools.ok) return tools;
  const past = thread ? await recordsOf(rt, { at, key }, thread, request) : ok([]);
  if (!past.ok) return past;
  const input = past.value.length > 0 ? ok(null) : inputOf(request, thread?.state.gate ?? null, rt.clock.now());
  if (!input.ok) return input;
  const details = { input: input.value, key, agent: forwardedProps?.agent, tools: tools.value };
  const run = await prepareRun(c, "agui", found.value, details);
  return run.ok ? ok({ ...run.value, request, past: past.value }) : run;
}
