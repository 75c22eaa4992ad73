// Tests that a socket, which outlives the instance that accepted it, receives nothing once its key is removed.
import { expect, test } from "vitest";
import {
  broadcastEvents,
  type HibernatingSocket,
  type SocketAttachment,
  sendNewEvents,
} from "../../../src/hosts/cloudflare/hibernating-sockets.ts";
import { createAccess, referenceOf } from "../../../src/hosts/shared/access.ts";
import type { EphemeralEvent } from "../../../src/schema/event.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";

const OPTIONS = { keys_file: null, host: null };
const rowOf = (name: string): string => `${name}:local:${apiKeyFor(name)}`;

async function setUp() {
  const rt = createTestRuntime([]);
  const { at } = await createTestThread(rt, { goal: "Look", mode: "direct" });
  const before = unwrap(createAccess(OPTIONS, { PAWL_API_KEYS: `${rowOf("ann")},${rowOf("bob")}` }));
  const open = async (name: string) => {
    const headers = new Headers({ authorization: `Bearer ${apiKeyFor(name)}` });
    const caller = referenceOf(unwrap(await before.authenticate(headers)));
    let attachment: SocketAttachment = { at, caller, request_id: "r", after: -1, version: null };
    const sent: string[] = [];
    const socket: HibernatingSocket = {
      send: (text) => void sent.push(text),
      close: (code) => void sent.push(`closed with ${code}`),
      serializeAttachment: (next) => {
        attachment = next;
      },
      deserializeAttachment: () => attachment,
    };
    return { socket, sent };
  };
  const sockets = { ann: await open("ann"), bob: await open("bob") };
  // The object starts again after a deployment that removed bob's key.
  const access = unwrap(createAccess(OPTIONS, { PAWL_API_KEYS: rowOf("ann") }));
  return { host: { rt, access } as never, sockets };
}

test("events of the log close the socket of a removed key", async () => {
  const { host, sockets } = await setUp();
  for (const { socket } of Object.values(sockets)) await sendNewEvents(host, socket);
  expect(sockets.ann.sent.join()).toContain("thread.created");
  expect(sockets.bob.sent).toEqual(["closed with 4401"]);
});

test("live events close the socket of a removed key", async () => {
  const { host, sockets } = await setUp();
  const event = { type: "thinking.started", turn: 1 } as unknown as EphemeralEvent;
  broadcastEvents(host, [sockets.ann.socket, sockets.bob.socket], [event], 0);
  expect(sockets.ann.sent).toHaveLength(1);
  expect(sockets.bob.sent).toEqual(["closed with 4401"]);
});
