// Manages one running language server: its process, its connection, and the diagnostics it has sent.
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import type { ProcessOperations } from "../../ports/operations.ts";

const LIFETIME_MS = 24 * 3_600_000;
/** Limits the bytes received between two requests, because they stay in memory until a message is complete. */
const RECEIVED_BYTES_MAX = 33_554_432;

export type SessionOptions = {
  readonly command: string;
  readonly initialization_options: Readonly<Record<string, unknown>>;
  readonly process: ProcessOperations;
  readonly root: string;
};

export type Session = {
  /** Resolves when the server has reported that it is ready. Rejects if it never does. */
  readonly ready: Promise<void>;
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<void>;
  /** Calls `listener` with the diagnostics of any file until the returned function is called. */
  readonly onDiagnostics: (listener: (params: unknown) => void) => () => void;
  /** Empty before `ready` resolves, because the server reports its capabilities when it starts. */
  readonly capabilities: () => Readonly<Record<string, unknown>>;
  readonly isOpen: () => boolean;
  /** Resolves with the reason when the server has ended. */
  readonly ended: Promise<string>;
  readonly close: () => Promise<void>;
};

const CAPABILITIES = {
  textDocument: {
    hover: { contentFormat: ["plaintext", "markdown"] },
    definition: { linkSupport: false },
    rename: { prepareSupport: false },
    publishDiagnostics: { relatedInformation: false },
    diagnostic: { dynamicRegistration: false },
  },
  workspace: { workspaceEdit: { documentChanges: true }, configuration: true, applyEdit: false },
  general: { positionEncodings: ["utf-16"] },
};

export function openSession(options: SessionOptions): Session {
  const { command, initialization_options, process, root } = options;
  const stop = new AbortController();
  const input = new PassThrough();
  const output = new PassThrough();
  let open = true;
  let received = 0;
  let broken: string | null = null;
  const accepts = createFraming(RECEIVED_BYTES_MAX);
  const ended = process
    .run({
      command,
      timeout_ms: LIFETIME_MS,
      signal: stop.signal,
      input,
      onOutput: ({ stream, bytes }) => {
        if (stream !== "stdout" || broken !== null) return;
        received += bytes.length;
        if (received > RECEIVED_BYTES_MAX) broken = "it sent too much";
        else if (!accepts(bytes)) broken = "it does not send messages of the protocol";
        if (broken === null) output.write(bytes);
        else stop.abort();
      },
    })
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => {
      open = false;
      output.end();
    })
    .then(() => broken ?? "its process has ended");
  const connection = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  const listeners = new Set<(params: unknown) => void>();
  connection.onNotification("textDocument/publishDiagnostics", (params: unknown) => {
    for (const listener of listeners) listener(params);
  });
  // A server may request settings or changes. It receives no settings, and no change is applied.
  connection.onRequest((method, params) => answer(method, params));
  // Without these handlers, the connection throws when the process has ended.
  connection.onError(() => undefined);
  connection.onClose(() => connection.dispose());
  connection.listen();
  const request = (method: string, params: object): Promise<unknown> => {
    received = 0;
    return connection.sendRequest(method, params);
  };
  let capabilities: Readonly<Record<string, unknown>> = {};
  const start = async (): Promise<void> => {
    const uri = pathToFileURL(root).href;
    const started = await request("initialize", {
      processId: null,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "workspace" }],
      capabilities: CAPABILITIES,
      initializationOptions: initialization_options,
    });
    capabilities = (started as { capabilities?: Record<string, unknown> } | null)?.capabilities ?? {};
    await connection.sendNotification("initialized", {});
  };
  return {
    ready: start(),
    request,
    notify: (method, params) => connection.sendNotification(method, params),
    onDiagnostics: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    capabilities: () => capabilities,
    isOpen: () => open,
    ended,
    async close() {
      open = false;
      stop.abort();
      await ended;
    },
  };
}

function answer(method: string, params: unknown): unknown {
  if (method === "workspace/applyEdit") return { applied: false };
  if (method !== "workspace/configuration") return null;
  const items = (params as { items?: unknown[] } | undefined)?.items;
  return Array.isArray(items) ? items.map(() => null) : [];
}

const HEADER_CHARS_MAX = 1_024;

/**
 * Checks that the bytes, which it takes in order, are messages of at most `max` bytes. The connection would buffer
 * anything else and search the whole buffer again for each byte.
 */
function createFraming(max: number): (bytes: Uint8Array) => boolean {
  let header = "";
  let left = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left > 0) {
        const taken = Math.min(left, bytes.length - at);
        left -= taken;
        at += taken;
        continue;
      }
      header += String.fromCharCode(bytes[at] ?? 0);
      at += 1;
      if (header.length > HEADER_CHARS_MAX) return false;
      if (!header.endsWith("\r\n\r\n")) continue;
      const length = /^content-length: *(\d{1,12})\r$/im.exec(header)?.[1];
      if (length === undefined || Number(length) > max) return false;
      left = Number(length);
      header = "";
    }
    return true;
  };
}
