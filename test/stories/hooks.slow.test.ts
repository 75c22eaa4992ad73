// Hooks around calls rewrite an argument, deny a tool and remove a secret. The record shows all of it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { LiveEvent } from "../../src/schema/event.ts";
import { type CallLine, callLogHooks } from "../../src/tools/call-log.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Hook } from "../../src/tools/hooks.ts";
import { createRedactor, redactionHooks } from "../../src/tools/redaction/redact.ts";
import { unwrap } from "../support/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { callTool } from "../support/story.ts";

const SECRET = "sesame-open-4711";
const lines: CallLine[] = [];
const mailed: string[] = [];
const lookUp = defineTool(
  { name: "look_up", description: "Looks up.", input: z.object({ who: z.string() }) },
  ({ who }) => `${who}: door code ${SECRET}`,
);
const mail = defineTool(
  { name: "mail", description: "Mails.", permission: "EXTERNAL", input: z.object({ to: z.string() }) },
  ({ to }) => {
    mailed.push(to);
    return "sent";
  },
);
const hooks: readonly Hook[] = [
  ...callLogHooks((line) => void lines.push(line)),
  {
    name: "full_names",
    hook_type: "PRE_TOOL_USE",
    filter_names: ["look_up"],
    handler: ({ arguments: args }) => ({ action: "MODIFY", arguments: { ...args, who: `${args.who} Smith` } }),
  },
  {
    name: "no_mail",
    hook_type: "PRE_TOOL_USE",
    filter_names: ["mail"],
    handler: () => ({ action: "DENY", reason: "mail is closed" }),
  },
  ...redactionHooks(createRedactor([SECRET])),
];

let server: TestServer;
beforeAll(async () => {
  const script = [callTool("look_up", { who: "Ann" }), callTool("mail", { to: "ann@example.org" }, "confirm")];
  server = await startTestServer({ script, tools: [lookUp, mail], runtime: { hooks } });
});
afterAll(() => server.stop());

test("a rewritten argument, a denial and a removed secret are all recorded", async () => {
  const client = server.client();
  const { thread } = unwrap(await client.create({ goal: "Write to Ann", mode: "direct" }));
  const events: LiveEvent[] = [];
  for await (const event of client.stream(thread.id)) events.push(event.data as LiveEvent);
  const denied = unwrap(await client.advance(thread.id));

  const { records } = unwrap(
    await client.call<{ records: Record<string, never>[] }>("GET", `/v1/threads/${thread.id}/turns`),
  );
  expect(records[1]).toMatchObject({
    decision: { value: { tool_call: { arguments: { who: "Ann" } } } },
    call: { arguments: { who: "Ann Smith" }, proposed_digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    observation: { text: "Ann Smith: door code [redacted]" },
  });
  expect(denied).toMatchObject({
    next: "advance",
    thread: { gate: null },
    turn: { receipts: [{ name: "mail", success: false }], observation: { text: "no_mail says no: mail is closed" } },
  });
  expect(mailed).toEqual([]);
  expect(lines).toMatchObject([
    { tool: "look_up", outcome: "ok", proposed_digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { tool: "mail", outcome: "skipped", reason: "no_mail says no: mail is closed" },
  ]);
  expect(lines[0]?.arguments_digest).not.toBe(lines[0]?.proposed_digest);

  const seen = JSON.stringify([
    records,
    events,
    denied,
    unwrap(await client.call("GET", `/v1/threads/${thread.id}/events`)),
    server.logLines,
  ]);
  expect(seen).toContain("[redacted]");
  expect(seen).not.toContain(SECRET);
});
