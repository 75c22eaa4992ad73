// Sends requests that no HTTP client would send, over a plain socket. Reads until the server closes or a timeout.
import { connect } from "node:net";

export type RawResponse = {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
  /** The number of bytes that the server accepted before the end. */
  readonly sent: number;
  /** True if the server closed the connection. */
  readonly closed: boolean;
};

/** Sends the parts as fast as the server accepts them. A number waits that many milliseconds. */
export function sendRaw(
  port: number,
  parts: Iterable<string | Uint8Array | number>,
  within_ms = 10_000,
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let closed = false;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...parseResponse(text), text, sent: socket.bytesWritten, closed });
    };
    const timer = setTimeout(finish, within_ms);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", () => {
      closed = true;
      finish();
    });
    void writeParts(socket, parts);
  });
}

async function writeParts(socket: ReturnType<typeof connect>, parts: Iterable<string | Uint8Array | number>) {
  for (const part of parts) {
    if (socket.destroyed) return;
    if (typeof part === "number") await new Promise((resolve) => setTimeout(resolve, part));
    else if (!socket.write(part)) await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
  }
}

function parseResponse(text: string): { status: number; code: string | null } {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
  return { status: Number(status ?? 0), code: code ?? null };
}

/** Returns a request as text. Every header is written as given, including duplicates. */
export const rawRequest = (line: string, headers: readonly string[], body = ""): string =>
  [`${line} HTTP/1.1`, ...headers, "connection: close", "", body].join("\r\n");
