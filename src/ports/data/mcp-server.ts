// Defines access to Model Context Protocol servers with tools for agents.
import type { Result } from "../../schema/problem.ts";

/** A tool as its server describes it. No part of the description is trusted. */
export type McpTool = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** A request of a server that must be answered before a call can finish: a form, or a page for the person to visit. */
export type McpForm = {
  readonly message: string;
  /** JSON Schema of an object with flat properties. Null for a page. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly url: string | null;
};
export type McpAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" };

export type McpCall = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The answers to the server's request, and the server's own state, which is returned unchanged. */
  readonly answers?: Readonly<Record<string, McpAnswer>>;
  readonly request_state?: string;
  /** Fields sent in `_meta`, such as `traceparent`. */
  readonly meta?: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
};

export type McpReply =
  | { readonly kind: "result"; readonly text: string; readonly data: unknown; readonly is_error: boolean }
  | {
      readonly kind: "asks";
      readonly forms: Readonly<Record<string, McpForm>>;
      readonly request_state: string | null;
    };

export interface McpServer {
  /** Asks the server for its current tools. The answer is not cached. */
  list(): Promise<Result<readonly McpTool[]>>;
  /** Calls a tool. Fails with `outcome_unknown` if the call was sent and no answer came, or with `fetch_failed` if it was not sent. */
  call(call: McpCall): Promise<Result<McpReply>>;
  close(): Promise<void>;
}
