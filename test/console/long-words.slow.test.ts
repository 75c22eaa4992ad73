// Tests texts of the model without spaces, such as paths and hashes: nothing of a gate or a panel may lie outside of it.
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import type { TestServer } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";
import { cutOff } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser, WIDE } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { button, gateCard, startThread } from "./page-actions.ts";

const WORD = "x".repeat(160);
const SCRIPT = [
  { action: "plan_done", speak: WORD, plan_steps: [{ content: WORD, done_when: WORD, needs: "write" }] },
  { action: "confirm", speak: WORD, tool_call: { name: "write", arguments: { line: WORD } } },
  { action: "ask_user", speak: WORD, choices: [WORD, "b"] },
  { action: "ask_user", questions: [{ question: WORD, choices: [WORD, "b"], multiple: true }, { question: "Why?" }] },
];

describeInBrowser("long words", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();

  test.each([
    ["wide", WIDE],
    ["phone", PHONE],
  ])("are wrapped in gates and panels on a %s screen", async (_name, viewport) => {
    server = await startConsoleServer(files, { script: SCRIPT, tools: [createWriteTool([])] });
    const page = await open(server.url, { viewport });
    const cut = () => cutOff(page, ".gate, .thread-head, .panel");
    await startThread(page, WORD);
    const plan = await gateCard(page, "Approve the plan?");
    expect(await cut()).toEqual([]);
    await button(plan, "Approve the plan").click();
    const call = await gateCard(page, "Approve this call?");
    expect(await cut()).toEqual([]);
    await button(call, "Edit arguments").click();
    expect(await cut()).toEqual([]);
    await button(call, "Approve").click();
    const question = await gateCard(page, "A question for you");
    await button(question, "b").waitFor();
    expect(await cut()).toEqual([]);
    await button(question, "b").click();
    await button(question, "Send answers").waitFor();
    expect(await cut()).toEqual([]);
  });
});
