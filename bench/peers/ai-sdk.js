// AI SDK 7 as its documentation describes persistence: the messages of a thread are rows, loaded for each request and passed to
// generateText, and the response messages are appended. An approval is a message, too.
import { randomUUID } from "node:crypto";
import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";
import { GOAL, observe, openItemRows } from "./system.ts";

const USAGE = {
  inputTokens: { total: 2000, noCache: 2000, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 30, text: 30, reasoning: 0 },
};
const input = z.object({ at: z.int() });
const createTools = () => ({
  look: tool({ description: "Looks at a place.", inputSchema: input, execute: async ({ at }) => observe(at) }),
  write: tool({
    description: "Writes.",
    inputSchema: input,
    needsApproval: true,
    execute: async ({ at }) => `wrote ${at}`,
  }),
});

let calls = 0;
const createModel = (name) => ({
  specificationVersion: "v4",
  provider: "bench",
  modelId: "bench",
  supportedUrls: {},
  async doGenerate() {
    calls += 1;
    const call = {
      type: "tool-call",
      toolCallId: `call-${calls}`,
      toolName: name,
      input: JSON.stringify({ at: calls }),
    };
    const content =
      name === null ? [{ type: "text", text: "It is written." }] : [{ type: "text", text: "Going on." }, call];
    const unified = name === null ? "stop" : "tool-calls";
    return { content, finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
  },
});

/** @type {import("./system.ts").OpenSession} */
export const open = async (path) => {
  const rows = openItemRows(path);
  const generate = async (id, name, added = []) => {
    const messages = [...rows.load(id), ...added];
    const options = { model: createModel(name), tools: createTools(), messages, stopWhen: isStepCount(1) };
    const { responseMessages } = await generateText(options);
    rows.append(id, [...added, ...responseMessages]);
    return responseMessages;
  };
  return {
    async create() {
      const id = randomUUID();
      rows.append(id, [{ role: "user", content: GOAL }]);
      return id;
    },
    async turn(id) {
      await generate(id, "look");
    },
    async pause(id) {
      await generate(id, "write");
    },
    async resume(id) {
      const parts = rows.load(id).flatMap(({ content }) => (Array.isArray(content) ? content : []));
      const request = parts.find(({ type }) => type === "tool-approval-request");
      const approval = { type: "tool-approval-response", approvalId: request.approvalId, approved: true };
      const answered = await generate(id, null, [{ role: "tool", content: [approval] }]);
      if (!JSON.stringify(answered).includes("It is written.")) throw new Error(JSON.stringify(answered));
    },
    async age(id, turns) {
      await generate(id, "look");
      const pair = rows.load(id).slice(1);
      rows.append(
        id,
        Array.from({ length: turns - 1 }, (_, n) =>
          JSON.parse(JSON.stringify(pair).replaceAll(/call-\d+/g, `old-${n}`)),
        ).flat(),
      );
    },
  };
};
