// Converts problems to errors of A2A over JSON-RPC. An error has A2A's own code if there is one for the problem, and
// Pawl's code and hint as details.
import type { Problem } from "../../schema/problem.ts";
import { errorText } from "../shared/problems.ts";
import { rpcErrors } from "../shared/rpc-error.ts";

export const RPC_ERRORS = {
  parse: [-32700, "PARSE_ERROR"],
  request: [-32600, "INVALID_REQUEST"],
  method: [-32601, "METHOD_NOT_FOUND"],
  params: [-32602, "INVALID_PARAMS"],
  internal: [-32603, "INTERNAL_ERROR"],
  task: [-32001, "TASK_NOT_FOUND"],
  not_cancelable: [-32002, "TASK_NOT_CANCELABLE"],
  push: [-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  unsupported: [-32004, "UNSUPPORTED_OPERATION"],
  content: [-32005, "CONTENT_TYPE_NOT_SUPPORTED"],
  version: [-32009, "VERSION_NOT_SUPPORTED"],
} as const;
export type RpcErrorKind = keyof typeof RPC_ERRORS;

export type RpcId = string | number | null;

export function errorResponse(id: RpcId, problem: Problem, kind = kindOf(problem)) {
  const [code, reason] = RPC_ERRORS[kind];
  const details = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason,
    domain: "a2a-protocol.org",
    metadata: { code: problem.code, hint: problem.hint },
  };
  return { jsonrpc: "2.0", id, error: { code, message: errorText(problem), data: [details] } };
}

/** The form of problems that occur before a method has read the request. */
export const A2A_ERRORS = rpcErrors("/a2a", (problem) =>
  errorResponse(null, problem, problem.status >= 500 ? "internal" : "request"),
);

function kindOf({ code, status }: Problem): RpcErrorKind {
  if (code === "thread_not_found") return "task";
  if (code === "body_invalid") return "parse";
  if (code === "content_type_unsupported") return "content";
  if (status >= 500) return "internal";
  return status === 409 || status === 410 || status === 403 ? "unsupported" : "params";
}
