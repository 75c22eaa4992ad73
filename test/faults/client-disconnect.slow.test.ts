// Disconnects clients during a streamed turn at many positions. The turn must be committed once, and its key must
// return it.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { readRecords } from "../../src/turn/load.ts";
import { unwrap } from "../support/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const OFFSETS = 20;
const AT_ONCE = 10;
const effects: string[] = [];
const put = defineTool(
  {
    name: "put",
    description: "Puts.",
    permission: "WRITE",
    effect: "unkeyed",
    requires_confirmation: false,
    streaming: true,
    input: z.object({ n: z.string() }),
  },
  async function* ({ n }) {
    for (let i = 0; i < 5; i++) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      yield `${n} ${"x".repeat(300)}\n`;
    }
    effects.push(n);
  },
);

function* decisions() {
  for (let n = 0; ; n++)
    yield { action: "continue", speak: "Putting it there.", tool_call: { name: "put", arguments: { n: `n${n}` } } };
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ script: decisions(), tools: [put] });
});
afterAll(() => server.stop());

/**
 * Sends a turn and disconnects after `bytes` of the response. If `bytes` is null, reads all of it and returns its
 * length.
 */
function disconnectAfter(path: string, key: string, bytes: number | null): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nIdempotency-Key: ${key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      );
      if (bytes === 0) socket.destroy();
    });
    socket.on("data", (piece) => {
      received += piece.length;
      if (bytes !== null && received >= bytes) socket.destroy();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

/** Repeats the request with the same key until the abandoned turn is committed. */
async function repeatRequest(path: string, key: string): Promise<number | false> {
  const again = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: "{}",
  });
  const { thread } = (await again.json()) as { thread?: { turn: number } };
  return again.status === 200 && (thread?.turn ?? false);
}

async function hangUpOften(offsets: readonly number[]): Promise<number> {
  const { thread } = unwrap(await server.client().create({ goal: "Put it", mode: "direct", budget: { turns: 100 } }));
  const path = `/v1/threads/${thread.id}/turns`;
  for (const [n, bytes] of offsets.entries()) {
    await disconnectAfter(path, `gone-${n}`, bytes);
    await expect.poll(() => repeatRequest(path, `gone-${n}`), { timeout: 20_000 }).toBe(n + 1);
  }
  const records = unwrap(await readRecords(server.rt, { tenant: LOCAL_TENANT, thread: thread.id }, 0, 1_000));
  return records.flatMap(({ entry }) => entry.receipts.filter(({ kind }) => kind === "settled")).length;
}

test("wherever a client disconnects, the turn commits once and the same key returns it", {
  timeout: 60_000,
}, async () => {
  const { thread } = unwrap(await server.client().create({ goal: "Put it", mode: "direct" }));
  const totalBytes = await disconnectAfter(`/v1/threads/${thread.id}/turns`, "whole", null);
  const offsets = Array.from({ length: OFFSETS }, (_, n) => Math.floor((totalBytes * (n + 1)) / (OFFSETS + 1)));
  const parts = Array.from({ length: AT_ONCE }, (_, part) => offsets.filter((_offset, n) => n % AT_ONCE === part));
  const settled = await Promise.all(parts.map(hangUpOften));
  expect(settled).toEqual(parts.map((part) => part.length));
  expect(effects).toHaveLength(OFFSETS + 1);
  expect(new Set(effects).size).toBe(effects.length);
});
