// Defines the route of AG-UI, which takes a RunAgentInput and streams the frames of a run.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { respondProblem } from "../../http/respond.ts";
import type { Answer, Route } from "../../http/route.ts";
import { checkInput } from "../../http/turn-request.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { replay } from "../../turn/admit/replay.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { declaredTools } from "../shared/declared-tools.ts";
import { createPartReader, type PartReader } from "../shared/parts.ts";
import { requestKey } from "../shared/request-key.ts";
import { peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { createProtocolRun, type RunStart, runThread } from "../shared/run-thread.ts";
import { checkStart, newThreadInput, protocolRoute, surfaceConfig } from "../shared/start.ts";
import { ensureThread, type FoundThread, findThread } from "../shared/thread-of.ts";
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

type Prepared = {
  readonly request: AguiRequest;
  readonly found: FoundThread;
  readonly start: Omit<RunStart, "version">;
  /**
   * The records to send before new ones: those of this run if its `runId` was sent before, or those since another
   * client answered the interrupt that this request cancels. Empty for any other request.
   */
  readonly past: readonly ThreadRecord[];
};

async function postRun(c: Ctx): Promise<Answer> {
  const prepared = await prepare(c);
  if (!prepared.ok) return prepared;
  const { request, found, start, past } = prepared.value;
  const thread = await ensureThread(
    c,
    found,
    newThreadInput(surfaceConfig(c, "agui"), request.forwardedProps?.agent ?? undefined),
  );
  if (!thread.ok) return thread;
  const options = c.get("options");
  const { first, all } = await peek(
    runThread(createProtocolRun(c, found.at), { ...start, past, version: thread.value.version }),
  );
  // A message while an interrupt is open is reported as a run that ends with an error. Any other refusal is an ordinary
  // response with the status of its problem.
  if (first?.type === "problem" && first.problem.code !== "gate_open") return respondProblem(c, first.problem);
  const reader = () => createPartReader(options.rt, found.at, thread.value);
  const source = {
    request: { ...request, messages: await messagesBefore(request, past, reader()) },
    thread: thread.value,
    events: all,
    read: reader(),
    repeated: past.length > 0,
  };
  return respondFrames(c, toData(aguiFrames(source)));
}

/**
 * Drops messages that belong to the repeated run, because the client may have kept an incomplete text. The run is sent
 * again from its beginning.
 */
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

type Repeatable = {
  readonly at: ThreadRef;
  readonly key: ReturnType<typeof requestKey>;
  readonly thread: Thread;
  readonly request: AguiRequest;
};

async function recordsOf(
  rt: Runtime,
  { at, key, thread, request }: Repeatable,
): Promise<Result<readonly ThreadRecord[]>> {
  const replayed = await replay(rt, { at, key }, thread);
  if (!replayed.ok) return replayed;
  if (replayed.value.kind !== "new") return ok(replayed.value.records);
  const from = answeredElsewhere(request, thread);
  return from === null ? ok([]) : readRecords(rt, at, from, thread.version);
}

/** Checks everything that can refuse the request before anything is stored. */
async function prepare(c: Ctx): Promise<Result<Prepared>> {
  const { rt } = c.get("options");
  const body = await readLooseBody(c, AguiRequest);
  if (!body.ok) return body;
  const request = body.value;
  const found = await findThread(c, "agui", request.threadId);
  if (!found.ok) return found;
  const { thread } = found.value;
  const { resume, messages } = request;
  const key = requestKey(rt.hash, `agui:${request.runId}`, {
    resume,
    message: messages.findLast(({ role }) => role === "user"),
  });
  const declared = request.tools?.map(({ name, description, parameters: schema }) => ({ name, description, schema }));
  const tools = declared ? declaredTools(declared, "parameters") : ok(undefined);
  if (!tools.ok) return tools;
  const known = thread ? await recordsOf(rt, { at: found.value.at, key, thread, request }) : ok([]);
  if (!known.ok) return known;
  const past = known.value;
  const input = past.length > 0 ? ok(null) : inputOf(request, thread?.state.gate ?? null, rt.clock.now());
  if (!input.ok) return input;
  const allowed = checkInput(c.get("caller"), input.value, tools.value?.tools);
  if (!allowed.ok) return allowed;
  const create = newThreadInput(surfaceConfig(c, "agui"), request.forwardedProps?.agent ?? undefined);
  const checked = checkStart(c, found.value, create, tools.value);
  if (!checked.ok) return checked;
  const options = { channel: "agui", ...(tools.value && { client_tools: tools.value.tools }) };
  return ok({ request, found: found.value, start: { input: input.value, key, options }, past });
}
