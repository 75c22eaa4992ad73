// Converts the events of a run to AG-UI frames.
import { PLAN_TOOL } from "../../schema/manifest.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { CallPart, Part, PartReader, ResultPart } from "../shared/parts.ts";
import { endProblem, errorText } from "../shared/problems.ts";
import type { RunEvent } from "../shared/run-thread.ts";
import { createUsage } from "../shared/usage.ts";
import { interruptOf } from "./interrupt.ts";
import type { AguiRequest } from "./request.ts";

export type AguiFrame = { readonly type: string; readonly [field: string]: unknown };

type Message = { readonly id: string; readonly role: string; readonly [field: string]: unknown };

export type RunSource = {
  readonly request: AguiRequest;
  readonly thread: Thread | null;
  readonly events: AsyncIterable<RunEvent>;
  readonly read: PartReader;
  /** The messages of a repeated run are sent again, and the client drops its own copies. */
  readonly repeated: boolean;
};

/** Closes every part that it opens, and ends with exactly one RUN_FINISHED or RUN_ERROR. */
export async function* aguiFrames(source: RunSource): AsyncGenerator<AguiFrame> {
  const { request, thread, events, read, repeated } = source;
  const { threadId, runId } = request;
  const messages: Message[] = [];
  const snapshot = (): AguiFrame => ({ type: "MESSAGES_SNAPSHOT", messages: [...request.messages, ...messages] });
  const text = createText(messages, snapshot);
  const steps = createSteps();
  const usage = createUsage();
  let head: ThreadRecord | null = null;
  let failure: Problem | null = null;
  yield { type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" };
  if (repeated) yield snapshot();
  else if (thread) yield* steps.show(thread.state);
  for await (const event of events) {
    if (event.type === "delta") yield* text.delta(event.turn, event.text);
    else if (event.type === "discarded") yield* text.discard();
    else if (event.type === "problem") failure = event.problem;
    else {
      head = event.record;
      usage.add(head.entry);
      for (const part of await read(head))
        if (!isKnownResult(part, request))
          yield* part.kind === "text" ? text.whole(part) : actionFrames(part, messages);
      yield* steps.show(head.state);
    }
  }
  yield* text.discard();
  yield* steps.end();
  const ended = failure ?? endProblem(head);
  const used = usage.list();
  const tokens = used.length > 0 && { usage: used };
  if (ended) return yield { type: "RUN_ERROR", message: errorText(ended), code: ended.code, ...tokens };
  if (!head) return yield { type: "RUN_ERROR", message: "Nothing happened.", code: "internal" };
  yield stateFrame(head);
  if (head.state.gate) yield snapshot();
  yield { type: "RUN_FINISHED", threadId, runId, ...finish(request, head), ...tokens };
}

const stateFrame = ({ version, state }: ThreadRecord): AguiFrame => ({
  type: "STATE_SNAPSHOT",
  snapshot: {
    version,
    state: state.machine.state,
    plan: state.plan ?? [],
    step: state.machine.step,
    steps: state.machine.steps,
    todo: state.todo,
  },
});

/** If the client itself ran the call, its messages already contain the result. */
const isKnownResult = ({ kind, id }: Part, { messages }: AguiRequest): boolean =>
  kind === "result" && messages.some(({ role, toolCallId }) => role === "tool" && toolCallId === id);

function* actionFrames(part: Exclude<Part, { kind: "text" }>, messages: Message[]): Generator<AguiFrame> {
  // A plan is not a call in AG-UI. It is shown as an interrupt.
  if (part.kind === "call" ? part.gate?.kind === "plan" : part.name === PLAN_TOOL) return;
  if (part.kind === "call") yield* callFrames(part, messages);
  else yield resultFrame(part, messages);
}

function* callFrames({ id, name, arguments: args }: CallPart, messages: Message[]): Generator<AguiFrame> {
  const json = JSON.stringify(args);
  yield { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name };
  yield { type: "TOOL_CALL_ARGS", toolCallId: id, delta: json };
  yield { type: "TOOL_CALL_END", toolCallId: id };
  const toolCalls = [{ id, type: "function", function: { name, arguments: json } }];
  messages.push({ id, role: "assistant", toolCalls });
}

const resultId = (id: string): string => `res_${id}`;

export const messageIdOf = ({ kind, id }: Part): string => (kind === "result" ? resultId(id) : id);

function resultFrame({ id, text, status }: ResultPart, messages: Message[]): AguiFrame {
  const messageId = resultId(id);
  const content = status === "ok" ? text : `${status}: ${text}`;
  messages.push({ id: messageId, role: "tool", toolCallId: id, content });
  return { type: "TOOL_CALL_RESULT", messageId, toolCallId: id, content, role: "tool" };
}

/** Streams text while the model writes it. Text that is discarded disappears with the next snapshot. */
function createText(messages: Message[], snapshot: () => AguiFrame) {
  let open: { id: string; turn: number; text: string } | null = null;
  let attempt = 0;
  const begin = (turn: number, id: string): AguiFrame => {
    open = { id, turn, text: "" };
    return { type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" };
  };
  const nextId = (turn: number): string => (attempt === 0 ? `txt_${turn}` : `txt_${turn}_try_${attempt}`);
  function* write(delta: string): Generator<AguiFrame> {
    if (!open || delta === "") return;
    open.text += delta;
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: open.id, delta };
  }
  function* end(keep: boolean): Generator<AguiFrame> {
    if (!open) return;
    const { id, text } = open;
    open = null;
    yield { type: "TEXT_MESSAGE_END", messageId: id };
    if (keep) messages.push({ id, role: "assistant", content: text });
    else yield snapshot();
  }
  function* discard(): Generator<AguiFrame> {
    if (open) attempt += 1;
    yield* end(false);
  }
  return {
    discard,
    *delta(turn: number, delta: string): Generator<AguiFrame> {
      if (open && open.turn !== turn) yield* discard();
      if (!open) yield begin(turn, nextId(turn));
      yield* write(delta);
    },
    *whole({ id, turn, text }: Extract<Part, { kind: "text" }>): Generator<AguiFrame> {
      if (open && (open.turn !== turn || !text.startsWith(open.text))) yield* discard();
      if (!open) yield begin(turn, attempt === 0 ? id : nextId(turn));
      yield* write(text.slice((open as { text: string } | null)?.text.length ?? 0));
      yield* end(true);
      attempt = 0;
    },
  };
}

/** At most one step is open. It is closed before the run ends, and opened again by the next run. */
function createSteps() {
  let open: string | null = null;
  function* end(): Generator<AguiFrame> {
    if (open) yield { type: "STEP_FINISHED", stepName: open };
    open = null;
  }
  return {
    end,
    *show({ machine, plan }: ThreadState): Generator<AguiFrame> {
      const working = machine.state === "execute" || machine.state === "confirm";
      const name = working ? (plan?.[machine.step]?.content ?? null) : null;
      if (name === open) return;
      yield* end();
      if (name) yield { type: "STEP_STARTED", stepName: name };
      open = name;
    },
  };
}

/**
 * A waiting call of a tool that this client declared is a success and not an interrupt, because the client runs the
 * call and sends its result as a tool message. Clients before 1.0 send no protocolVersion, and refuse outcomes and
 * fields that they do not know.
 */
function finish({ tools = [], protocolVersion }: AguiRequest, { state }: ThreadRecord): object {
  const { gate, machine, evidence, evidence_kind } = state;
  const proof = { evidence: evidence ?? "none", evidence_kind: evidence_kind ?? "none" };
  const result = { result: { outcome: machine.outcome ?? "open", ...proof } };
  if (gate?.kind === "external" && tools.some(({ name }) => name === gate.client_name))
    return { outcome: { type: "success", ...(protocolVersion && { pendingToolCallIds: [gate.id] }) } };
  if (gate) return { outcome: { type: "interrupt", interrupts: [interruptOf(gate)] } };
  if (machine.outcome === "cancelled" && protocolVersion) return { outcome: { type: "cancelled" } };
  return { outcome: { type: "success" }, ...result };
}
