// Tests that a stream arrives in pieces: what a tool did is sent while the run still waits for the model.
import { expect, test } from "vitest";
import { SCRIPTS, startServer } from "./support.ts";

const PARTS = [{ type: "text", text: "Look" }];
const REQUESTS: readonly (readonly [string, object])[] = [
  ["/agui", { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "Look" }] }],
  ["/ai/chat", { id: "t", messages: [{ id: "m", role: "user", parts: PARTS }] }],
  ["/openai/v1/responses", { model: "default", input: "Look", stream: true }],
  [
    "/a2a",
    { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message: { messageId: "m", parts: PARTS } } },
  ],
];

test.each(REQUESTS)("%s", async (path, request) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  const faults = {
    at: async (point: string) => {
      if (point === "model.before") calls += 1;
      if (calls > 1) await released;
    },
  };
  const server = startServer(SCRIPTS.tool, { faults });
  const headers = { "content-type": "application/json" };
  const response = await server.fetch(`http://pawl${path}`, { method: "POST", headers, body: JSON.stringify(request) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const readUntil = async (part: string): Promise<void> => {
    while (!text.includes(part)) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error(`The stream ended without ${part}: ${text}`);
      text += value;
    }
  };
  await readUntil("seen the sky");
  expect(text).not.toContain("unny.");
  release();
  await readUntil("unny.");
});
