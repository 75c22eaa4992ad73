// Creates MCP errors that contain Pawl's code and hint. The SDK creates its own errors for requests that it refuses, so
// its responses are rewritten to contain them too.
import { type Problem, ProblemCode, problem } from "../../schema/problem.ts";
import { errorText } from "../shared/problems.ts";
import { rpcErrors } from "../shared/rpc-error.ts";
import type { McpSdk } from "./elicitation.ts";

const PARSE = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

const dataOf = ({ code, hint }: Problem) => ({ code, hint });

export const errorBody = (found: Problem): object => ({
  jsonrpc: "2.0",
  id: null,
  error: { code: rpcCode(found), message: errorText(found), data: dataOf(found) },
});

const rpcCode = ({ code, status }: Problem): number =>
  code === "body_invalid" ? PARSE : status >= 500 ? INTERNAL : INVALID_REQUEST;

/** For handlers that cannot return a problem. */
export const sdkError = (sdk: McpSdk, found: Problem): Error =>
  new sdk.ProtocolError(rpcCode(found), errorText(found), dataOf(found));

export const MCP_ERRORS = rpcErrors("/mcp", errorBody);

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** Adds problem codes to the errors in a response of the SDK, and passes each code to `found`. */
export async function withProblems(response: Response, found: (code: ProblemCode) => void): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const init = { status: response.status, headers };
  const rewrite = (json: string): string => rewriteMessages(json, response.status, found);
  if (response.body && type.startsWith("text/event-stream"))
    return new Response(rewriteEvents(response.body, rewrite), init);
  if (type.startsWith("application/json")) return new Response(rewrite(await response.text()), init);
  return response;
}

function rewriteEvents(body: ReadableStream<Uint8Array>, rewrite: (json: string) => string) {
  let rest = "";
  const lines = new TransformStream<string, string>({
    transform(chunk, controller) {
      const [...complete] = `${rest}${chunk}`.split("\n");
      rest = complete.pop() ?? "";
      for (const line of complete)
        controller.enqueue(`${line.startsWith("data: ") ? `data: ${rewrite(line.slice(6))}` : line}\n`);
    },
    flush: (controller) => controller.enqueue(rest),
  });
  return body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(lines)
    .pipeThrough(new TextEncoderStream());
}

function rewriteMessages(json: string, status: number, found: (code: ProblemCode) => void): string {
  if (!json.includes('"error"')) return json;
  const rewritten = (message: unknown): unknown => {
    if (typeof message !== "object" || message === null || !("error" in message)) return message;
    const error = withProblem(message.error as RpcError, status);
    found(error.problem.code);
    return { ...message, error: error.body };
  };
  const value: unknown = JSON.parse(json);
  return JSON.stringify(Array.isArray(value) ? value.map(rewritten) : rewritten(value));
}

function withProblem({ code, message, data }: RpcError, status: number): { problem: Problem; body: RpcError } {
  const fields = (data ?? {}) as Record<string, unknown>;
  const known = ProblemCode.safeParse(fields.code);
  if (known.success) return { problem: problem(known.data, message), body: { code, message, data } };
  const issue = issueIn(message);
  // The SDK reports a field that its own schema refuses as an internal error, but it is a mistake of the client.
  const wire = issue && code === INTERNAL ? INVALID_PARAMS : code;
  const isMissing = wire === INVALID_PARAMS && typeof fields.uri === "string" && fields.reason === undefined;
  const refused = problem(isMissing ? "thread_not_found" : problemCode(wire, status), issue ?? message);
  // Clients recognize a missing resource by error data that contains only its URI.
  const more = isMissing ? fields : { ...fields, ...dataOf(refused) };
  return { problem: refused, body: { code: wire, message: errorText(refused), data: more } };
}

function problemCode(code: number, status: number): ProblemCode {
  if (status === 415) return "content_type_unsupported";
  if (code === PARSE) return "body_invalid";
  return code === INTERNAL ? "internal" : "request_invalid";
}

/** The SDK prints validation issues as JSON in the message. */
function issueIn(message: string): string | null {
  const begin = message.indexOf("[\n");
  if (begin < 0) return null;
  try {
    const [first] = JSON.parse(message.slice(begin)) as { readonly path: string[]; readonly message: string }[];
    return first ? `${first.path.join(".")}: ${first.message}` : null;
  } catch {
    return null;
  }
}
