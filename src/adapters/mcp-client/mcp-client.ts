// Lists and calls the tools of one MCP server with the official client, over HTTP or over the standard input of a
// program. It uses the 2026 revision of the protocol and falls back to that of 2025. The connection is opened on first
// use and again after it breaks.
import type { AuthProvider, Client, ClientCapabilities, SdkErrorCode, Transport } from "@modelcontextprotocol/client";
import type { McpCall, McpForm, McpReply, McpServer, McpTool } from "../../ports/data/mcp-server.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { textOf } from "./content.ts";
import { FetchProblem, guardedFetch } from "./guarded-fetch.ts";
import { NotAuthenticated } from "./oauth/stored-auth.ts";
import type { McpClientSdk } from "./sdk.ts";

export type McpClientOptions = {
  readonly sdk: () => Promise<McpClientSdk>;
  readonly name: string;
  readonly version: string;
  readonly timeout_ms: number;
} & (
  | {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly fetcher: Fetcher;
      /** Called once for each connection. */
      readonly auth?: (sdk: McpClientSdk) => AuthProvider;
    }
  /** A program that speaks the protocol on its standard input and output. */
  | { readonly transport: () => Transport }
);

const LIST_TIMEOUT_MS = 10_000;

export function createMcpServer(options: McpClientOptions): McpServer {
  let connection: Promise<Client> | null = null;
  let running = 0;
  /** New calls must not use these connections. They are closed after the last running call. */
  const broken: Client[] = [];
  const schemas = new Map<string, Record<string, unknown>>();
  const connect = (): Promise<Client> => {
    connection ??= open(options, () => {
      connection = null;
    });
    return connection;
  };
  const drop = async (): Promise<void> => {
    const open = connection;
    connection = null;
    await open?.then((client) => client.close()).catch(() => undefined);
  };
  const list = async (): Promise<readonly McpTool[]> => {
    const client = await connect();
    const { tools } = await client.listTools(undefined, { cacheMode: "refresh", timeout: LIST_TIMEOUT_MS });
    for (const { name, inputSchema } of tools) schemas.set(name, inputSchema);
    return tools.map(({ name, description = "", inputSchema }) => ({ name, description, input: { ...inputSchema } }));
  };
  return {
    async list() {
      try {
        // A closed session or an ended program is noticed only at the next request.
        return ok(
          await list().catch(async () => {
            await drop();
            return list();
          }),
        );
      } catch (error) {
        await drop();
        return unavailable(options.name, error);
      }
    },
    async call(call) {
      let client: Client;
      try {
        client = await connect();
      } catch (error) {
        await drop();
        return unavailable(options.name, error);
      }
      const used = connection;
      running += 1;
      try {
        return ok(await send(await options.sdk(), client, call, schemas.get(call.tool)));
      } catch (error) {
        const failed = failureOf(await options.sdk(), options.name, error);
        // Other calls may still wait for their answers on this connection.
        if (!failed.ok && connection === used) {
          broken.push(client);
          connection = null;
        }
        return failed;
      } finally {
        running -= 1;
        if (running === 0) for (const one of broken.splice(0)) await one.close().catch(() => undefined);
      }
    },
    close: drop,
  };
}

async function open(options: McpClientOptions, onClose: () => void): Promise<Client> {
  const asking = { elicitation: { form: {}, url: {} } };
  const client = await connectClient(options, asking, onClose);
  // With the 2025 revision, a server may ask for input during a call. Over HTTP the response of the call is read as a
  // whole, so such a server must not ask.
  if (!("url" in options) || client.getProtocolEra() === "modern") return client;
  client.onclose = () => undefined;
  await client.close();
  return connectClient(options, {}, onClose);
}

async function connectClient(
  options: McpClientOptions,
  capabilities: ClientCapabilities,
  onClose: () => void,
): Promise<Client> {
  const sdk = await options.sdk();
  const client = new sdk.Client(
    { name: "pawl", version: options.version },
    { capabilities, versionNegotiation: { mode: "auto" }, inputRequired: { autoFulfill: false } },
  );
  // A program that uses the 2025 revision asks for input during a call. This is always cancelled, because the call does
  // not last long enough to wait for a person.
  if (capabilities.elicitation) client.setRequestHandler("elicitation/create", () => ({ action: "cancel" }));
  client.onclose = onClose;
  await client.connect(transportOf(sdk, options), { timeout: LIST_TIMEOUT_MS });
  return client;
}

function transportOf(sdk: McpClientSdk, options: McpClientOptions): Transport {
  if ("transport" in options) return options.transport();
  return new sdk.StreamableHTTPClientTransport(new URL(options.url), {
    fetch: guardedFetch(options),
    // A call cannot wait until a person has granted more scopes.
    onInsufficientScope: "throw",
    ...(options.auth && { authProvider: options.auth(sdk) }),
  });
}

/**
 * The tool definition tells the client which arguments it must also send as headers. It omits the output schema,
 * because this version of the client would validate a request for input against it.
 */
async function send(sdk: McpClientSdk, client: Client, call: McpCall, inputSchema: object = { type: "object" }) {
  const answered = call.answers && { inputResponses: call.answers };
  const state = call.request_state !== undefined && { requestState: call.request_state };
  const meta = call.meta && { _meta: call.meta };
  const params = { name: call.tool, arguments: call.arguments, ...answered, ...state, ...meta };
  const toolDefinition = { name: call.tool, inputSchema };
  const options = { allowInputRequired: true, timeout: call.timeout_ms, signal: call.signal, toolDefinition };
  return replyOf(sdk, await client.callTool(params as never, options as never));
}

function replyOf(sdk: McpClientSdk, result: unknown): McpReply {
  if (sdk.isInputRequiredResult(result)) {
    const { inputRequests = {}, requestState } = result;
    const forms = Object.entries(inputRequests).map(([key, request]) => [key, formOf(request)] as const);
    return { kind: "asks", forms: Object.fromEntries(forms), request_state: requestState ?? null };
  }
  const {
    content,
    structuredContent: data,
    isError,
  } = result as {
    content: readonly Record<string, unknown>[];
    structuredContent?: unknown;
    isError?: boolean;
  };
  return { kind: "result", text: textOf(content, data), data: data ?? null, is_error: isError === true };
}

function formOf(request: { readonly method: string; readonly params?: unknown }): McpForm {
  if (request.method !== "elicitation/create") throw new Error(`The server asks for ${request.method}.`);
  const { message, requestedSchema, url } = request.params as {
    message: string;
    requestedSchema?: Record<string, unknown>;
    url?: string;
  };
  return { message, schema: url === undefined ? (requestedSchema ?? {}) : null, url: url ?? null };
}

/**
 * A refusal from the server is a result. If the request was not sent, the server is unavailable. After any other error,
 * it is unknown whether the call ran.
 */
function failureOf(sdk: McpClientSdk, name: string, error: unknown): Result<McpReply> {
  const message = messageOf(error);
  const refused = (text = message): Result<McpReply> => ok({ kind: "result", text, data: null, is_error: true });
  if (sdk.ProtocolError.isInstance(error)) return refused();
  if (sdk.InsufficientScopeError.isInstance(error)) return refused(missingScope(error.requiredScope));
  if (sdk.SdkHttpError.isInstance(error)) return error.status < 500 ? refused() : unknown(name, message);
  if (sdk.SdkError.isInstance(error) && notSent(sdk).includes(error.code)) return unavailable(name, error);
  if (wasNotSent(error)) return unavailable(name, error);
  return unknown(name, message);
}

const missingScope = (scope = "unknown"): string =>
  `The call requires more permissions than the sign-in to this server includes (scope: ${scope}).`;

const notSent = ({ SdkErrorCode: codes }: McpClientSdk): readonly SdkErrorCode[] => [
  codes.NotConnected,
  codes.MethodNotSupportedByProtocolVersion,
];

const REFUSED_CONNECTIONS = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"];

function wasNotSent(error: unknown): boolean {
  if (error instanceof NotAuthenticated) return true;
  const found = [error, (error as { cause?: unknown })?.cause].find((one) => one instanceof FetchProblem);
  if (!found) return false;
  const { code, details } = found.problem;
  const { reason, code: system } = (details ?? {}) as { reason?: string; code?: string };
  return code === "blocked_address" || reason === "dns" || REFUSED_CONNECTIONS.includes(system ?? "");
}

const unknown = (name: string, why: string): Failed =>
  fail("outcome_unknown", `The MCP server ${name} did not answer: ${why}`);

const unavailable = (name: string, error: unknown): Failed =>
  fail("fetch_failed", `The MCP server ${name} is not available: ${messageOf(error)}`, { server: name });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
