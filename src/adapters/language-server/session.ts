// One running language server: its process, its connection, and the diagnostics it has sent.
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import type { ProcessOperations } from "../../ports/operations.ts";

const LIFETIME_MS = 24 * 3_600_000;

export type SessionOptions = {
  readonly command: string;
  readonly initialization_options: Readonly<Record<string, unknown>>;
  readonly process: ProcessOperations;
  readonly root: string;
};

export type Session = {
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string, params: object) => Promise<void>;
  /** Calls `listener` with the diagnostics of any file until the returned function is called. */
  readonly onDiagnostics: (listener: (params: unknown) => void) => () => void;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly isOpen: () => boolean;
  /** Resolves when the server has ended. */
  readonly ended: Promise<void>;
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

export async function openSession(options: SessionOptions): Promise<Session> {
  const { command, initialization_options, process, root } = options;
  const stop = new AbortController();
  const input = new PassThrough();
  const output = new PassThrough();
  let open = true;
  const ended = process
    .run({
      command,
      timeout_ms: LIFETIME_MS,
      signal: stop.signal,
      input,
      onOutput: ({ stream, bytes }) => {
        if (stream === "stdout") output.write(bytes);
      },
    })
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => {
      open = false;
      output.end();
    });
  const connection = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  const listeners = new Set<(params: unknown) => void>();
  connection.onNotification("textDocument/publishDiagnostics", (params: unknown) => {
    for (const listener of listeners) listener(params);
  });
  // A server may ask for settings, which it does not get, and for changes, which are not made.
  connection.onRequest((method, params) => answer(method, params));
  // Without these the connection throws when the process has ended.
  connection.onError(() => undefined);
  connection.onClose(() => connection.dispose());
  connection.listen();
  const close = async (): Promise<void> => {
    open = false;
    stop.abort();
    await ended;
  };
  const uri = pathToFileURL(root).href;
  const started = await Promise.race([
    connection.sendRequest("initialize", {
      processId: null,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "workspace" }],
      capabilities: CAPABILITIES,
      initializationOptions: initialization_options,
    }),
    ended.then(() => Promise.reject(new Error("ended"))),
  ]);
  await connection.sendNotification("initialized", {});
  return {
    request: (method, params) => connection.sendRequest(method, params),
    notify: (method, params) => connection.sendNotification(method, params),
    onDiagnostics: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    capabilities: (started as { capabilities?: Record<string, unknown> }).capabilities ?? {},
    isOpen: () => open,
    ended,
    close,
  };
}

function answer(method: string, params: unknown): unknown {
  if (method === "workspace/applyEdit") return { applied: false };
  if (method !== "workspace/configuration") return null;
  const items = (params as { items?: unknown[] } | undefined)?.items;
  return Array.isArray(items) ? items.map(() => null) : [];
}
