// Translates events for front ends of older gateways, which connect with `?dialect=legacy`. An event that had another
// name there becomes one or two frames `{type, sessionId, seq?, data}`. Any other event keeps its fields and gets a
// `sessionId`. The session id is the id of the thread.
import type { LiveEvent } from "../../schema/event.ts";
import type { Gate } from "../../schema/gate.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const DIALECTS = ["current", "legacy"] as const;
export type Dialect = (typeof DIALECTS)[number];

export function readDialect(text: string | undefined): Result<Dialect> {
  if (text === undefined || text === "current") return ok("current");
  return text === "legacy"
    ? ok("legacy")
    : fail("request_invalid", "dialect: must be current or legacy.", { field: "dialect" });
}

export const eventFrames = (event: LiveEvent, dialect: Dialect): readonly string[] =>
  (dialect === "legacy" ? legacyFrames(event) : [event]).map((frame) => JSON.stringify(frame));

type LegacyFrame = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

function legacyFrames(event: LiveEvent): readonly object[] {
  const frames = renamed(event);
  if (frames.length === 0) return [{ ...event, sessionId: event.thread }];
  // Durable events keep their sequence number, which a client that reconnects sends as `after`.
  const seq = "seq" in event ? { seq: event.seq } : {};
  return frames.map(({ type, data }) => ({ type, sessionId: event.thread, ...seq, data }));
}

function renamed(event: LiveEvent): readonly LegacyFrame[] {
  switch (event.type) {
    case "gate.opened":
      return gateFrame(event.gate);
    case "tool.started": {
      const data = { callId: event.operation_id, toolName: event.name };
      return [
        { type: "tool_call", data },
        { type: "tool_call_started", data },
      ];
    }
    case "tool.progress": {
      const { operation_id: callId, name: toolName, kind, n, stage, text } = event;
      return [{ type: "tool_result_streamed", data: { callId, toolName, kind, n, stage, chunk: text } }];
    }
    case "tool.completed": {
      const { name: toolName, success, summary } = event.receipt;
      const data = { callId: event.operation_id, toolName, success };
      return [
        { type: "tool_result", data: { ...data, result: summary } },
        { type: "tool_call_completed", data },
      ];
    }
    default:
      return [];
  }
}

function gateFrame(gate: Gate): readonly LegacyFrame[] {
  const requestId = gate.id;
  if (gate.kind === "question")
    return [{ type: "clarify_request", data: { requestId, question: gate.text, choices: gate.choices } }];
  if (gate.kind !== "confirmation") return [];
  const { call, digest, shown, reasons, text } = gate;
  const data = { requestId, toolName: call.name, arguments: call.arguments, shown, digest, text, reasons };
  return [{ type: "tool_confirmation_request", data }];
}
