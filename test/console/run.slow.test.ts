// Tests a complete run in the browser: create, stream, answer, approve, edit, reject, fork and reload.
import { readFile } from "node:fs/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import type { TestServer } from "../support/server.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage, type ConsoleServerOptions, startConsoleServer } from "./console-server.ts";
import { createPacedModel, WAIT } from "./paced-model.ts";
import {
  approvePlan,
  button,
  enterAndType,
  gateCard,
  inConversation,
  isInFront,
  lowerEdge,
  openMenu,
  startThread,
  tab,
  threadIn,
  waitForDelivery,
} from "./page-actions.ts";
import { DELIVERY, DONE, MOVE, NEXT, PLAN, QUERY, STORY } from "./story-script.ts";

describeInBrowser("run in the browser", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const serve = async (options: ConsoleServerOptions): Promise<string> => {
    server = await startConsoleServer(files, options);
    return server.url;
  };
  const calendarOf = async (thread: string) => {
    const read = await server
      .client()
      .call<{ calendar: { tasks: { state_id: number; slots: object[] }[] } }>("GET", `/v1/threads/${thread}/calendar`);
    if (!read.ok) throw new Error(read.problem.message);
    return read.value.calendar.tasks;
  };
  const slotsOf = async (thread: string, task: number) =>
    (await calendarOf(thread)).find((one) => one.state_id === task)?.slots;

  test("a goal leads to a plan, an approved call, a proof and a delivery", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    const card = await gateCard(page, "Approve this call?");
    await expect
      .poll(() => card.getByRole("listitem").first().textContent())
      .toContain("Essay outline from Mon Sep 7, slots 9 to 10 to Thu Sep 10, slots 9 to 10");
    await button(card, "Approve").click();
    await waitForDelivery(page);
    await expect.poll(() => inConversation(page, "Nothing else moved.").count()).toBe(1);
    const steps = page.getByRole("tabpanel").getByRole("listitem").filter({ hasText: "Done when" });
    await expect.poll(() => steps.count()).toBe(2);
    for (const i of [0, 1]) await expect.poll(() => steps.nth(i).textContent()).toContain("proven");
    // The proof names the tool and leads to its turn. It does not repeat the output, which contains ids for the model.
    await expect.poll(() => steps.nth(1).textContent()).toMatch(/write move turn 6$/);
    for (const line of await page.locator(".tool-head").allTextContents()) expect(line).not.toContain("[13]");
    await expect.poll(() => slotsOf(threadIn(page), 13)).toEqual([{ day: 4, slot_start: 9, slot_end: 10 }]);
  });

  test("text appears while the model streams it", async () => {
    const reply = `{"action":"answer","speak":"The first half ${WAIT}and the second."}`;
    const model = createPacedModel([reply]);
    const page = await open(await serve({ script: [], runtime: { pickModel: () => model } }));
    await page.getByLabel("What should the agent do?").fill("Say something long");
    await page.keyboard.press("Enter");
    const live = page.locator(".live");
    await live.getByText("The first half").waitFor();
    // The page has the focus after the form was removed. A focus ring around the whole page would only distract.
    await page.waitForFunction(() => document.activeElement?.className === "page");
    expect(await page.locator(".page").evaluate((node) => getComputedStyle(node).outlineStyle)).toBe("none");
    expect(await live.textContent()).not.toContain("second");
    model.release();
    await waitForDelivery(page);
    await expect.poll(() => page.locator(".turns").textContent()).toContain("The first half and the second.");
    await expect.poll(() => live.count()).toBe(0);
  });

  test("text that the judgement rejects is shown as discarded", async () => {
    const model = createPacedModel([
      `{"action":"next_plan","speak":"Already done, trust me.","goal_check":"sure"}`,
      `${WAIT}{"action":"done","speak":"Nothing was asked.","goal_check":"there was nothing to do"}`,
      "Finished.",
    ]);
    const page = await open(await serve({ script: [], runtime: { pickModel: () => model } }));
    await startThread(page, "Do nothing", { direct: true });
    await page.locator(".discarded del", { hasText: "Already done, trust me." }).waitFor();
    await expect.poll(() => page.locator(".discarded").textContent()).toContain("Discarded: ");
    model.release();
    await waitForDelivery(page);
    expect(await page.locator(".turns").textContent()).not.toContain("trust me");
  });

  test("one question is answered with a choice, another with free text", async () => {
    const ask = (question: string, choices: readonly string[]) => ({
      action: "continue",
      tool_call: { name: "clarify", arguments: { question, ...(choices.length > 0 ? { choices } : {}) } },
    });
    const done = { action: "done", speak: "Noted.", goal_check: "both questions were answered" };
    const script = [ask("Which day?", ["Thursday", "Friday"]), ask("And why?", []), done, "Recorded."];
    const page = await open(await serve({ script }));
    await startThread(page, "Ask me things", { direct: true });
    await button(await gateCard(page, "A question for you"), "Friday").click();
    await inConversation(page, "And why?").waitFor();
    await gateCard(page, "A question for you");
    await page.getByLabel("Your answer").fill("Because of the lab");
    await button(page, "Answer").click();
    await waitForDelivery(page);
    const lines = await page.locator(".message-user").allTextContents();
    expect(lines).toEqual(["You: Ask me things", "You: Friday", "You: Because of the lab"]);
  });

  test("several questions are a form that is sent when each has an answer", async () => {
    const questions = [
      { question: "Which days?", choices: ["Monday", "Tuesday", "Friday"], multiple: true },
      { question: "Which room?", choices: ["A", "B"] },
      { question: "Why?" },
    ];
    const script = [{ action: "ask_user", questions }, { action: "done", goal_check: "answered" }, "Recorded."];
    const page = await open(await serve({ script }));
    await startThread(page, "Ask me things", { direct: true });
    const card = await gateCard(page, "A question for you");
    await card.getByLabel("Friday").check();
    await card.getByLabel("Monday").check();
    await card.getByLabel("B", { exact: true }).check();
    expect(await button(card, "Send answers").isDisabled()).toBe(true);
    await card.getByLabel("Your answer").fill("a talk");
    await button(card, "Send answers").click();
    await waitForDelivery(page);
    const lines = await page.locator(".message-user").allTextContents();
    expect(lines.at(-1)).toBe("You: Monday; Friday\nB\na talk");
  });

  test("edited arguments are previewed, approved and run", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline");
    await approvePlan(page);
    const card = await gateCard(page, "Approve this call?");
    await button(card, "Edit arguments").click();
    const field = card.getByLabel("Arguments as JSON");
    await expect.poll(() => field.evaluate((node) => document.activeElement === node)).toBe(true);
    // The field must be in the visible part of the card and not behind its buttons.
    await expect.poll(() => isInFront(field)).toBe(true);
    // The text is typed letter by letter, as a user does, and no letter may take the focus from the field.
    await field.fill("");
    await page.keyboard.type('{"task_id": 13, "new_day": 4, "new_slot_start": 6}');
    await card.getByText("The calendar would reject this").waitFor();
    await field.fill("{");
    await expect.poll(() => button(card, "Approve").isDisabled()).toBe(true);
    await field.fill('{"task_id": 13, "new_day": 5, "new_slot_start": 3}');
    await card.getByText("to Fri Sep 11, slots 3 to 4").waitFor();
    await button(card, "Approve with changes").click();
    await page.getByText("tester approved move with changed arguments").waitFor();
    await waitForDelivery(page);
    await expect.poll(() => slotsOf(threadIn(page), 13)).toEqual([{ day: 5, slot_start: 3, slot_end: 4 }]);
  });

  test("a message at a gate becomes a reason, an edit or a new goal, and the buttons stay in view", async () => {
    const rejected = { action: "abort", abort: { user_message: "Then not." } };
    const page = await open(await serve({ script: [PLAN, QUERY, NEXT, MOVE, rejected, PLAN, PLAN] }));
    await page.setViewportSize({ width: 1280, height: 800 });
    await startThread(page, "Move the essay outline");
    await approvePlan(page);
    const card = await gateCard(page, "Approve this call?");
    for (const size of [{ width: 1280, height: 800 }, PHONE]) {
      await page.setViewportSize(size);
      for (const name of ["Approve", "Reject…"]) {
        // The card scrolls into view after the window has its new size.
        await expect.poll(() => lowerEdge(button(card, name))).toBeLessThanOrEqual(size.height);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    const field = page.getByLabel("Message", { exact: true });
    await field.fill("not on a Thursday");
    await field.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Reject with this reason");
    for (const size of [
      { width: 390, height: 660 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size);
      await expect.poll(() => isInFront(button(card, "Approve"))).toBe(true);
      const form = await page.locator(".message-form").boundingBox();
      for (const option of await page.locator(".message-options button").all()) {
        const box = await option.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 9999)).toBeLessThanOrEqual((form?.x ?? 0) + (form?.width ?? 0));
      }
      expect(form?.height ?? 9999).toBeLessThan(size.height / 2);
    }
    await page.keyboard.press("Escape");
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.press("Enter");
    await button(page, "Edit the arguments instead").click();
    await card.getByLabel("Arguments as JSON").waitFor();
    await field.press("Enter");
    await button(page, "Reject with this reason").click();
    await inConversation(page, "tester rejected move: “not on a Thursday”").waitFor();
    await page.getByText("Run 1: aborted").waitFor();
    await page.getByLabel("Next goal").fill("Move the essay outline");
    await button(page, "Send").click();
    await gateCard(page, "Approve the plan?");
    await field.fill("Move it to Friday instead");
    await field.press("Enter");
    await button(page, "Cancel the run and make this the new goal").click();
    await page.getByText("Run 2: cancelled").waitFor();
    await page.locator(".message-user").getByText("Move it to Friday instead").waitFor();
    await gateCard(page, "Approve the plan?");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("a rejection passes its reason to the model, and nothing moves", async () => {
    const prompts: string[] = [];
    const after = ({ messages }: { messages: readonly { content: string }[] }) => {
      prompts.push(messages.map((message) => message.content).join("\n"));
      return { action: "abort", abort: { user_message: "Then I leave it where it is." } };
    };
    const page = await open(await serve({ script: [PLAN, QUERY, NEXT, MOVE, after] }));
    await startThread(page, "Move the essay outline");
    await approvePlan(page);
    const card = await gateCard(page, "Approve this call?");
    await button(card, "Reject…").focus();
    // The keys are typed without waiting, so the form must have the focus before the next key.
    await enterAndType(page, "never");
    await expect.poll(() => card.getByLabel("Reason (sent to the model)").inputValue()).toBe("never");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Reject…");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("reject");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("reason");
    await card.getByLabel("Reason (sent to the model)").fill("never on a Thursday");
    await button(card, "Reject").click();
    await page.getByText("tester rejected move: “never on a Thursday”").waitFor();
    await page.getByText("Run 1: aborted").waitFor();
    expect(prompts[0]).toContain("never on a Thursday");
    await expect.poll(() => slotsOf(threadIn(page), 13)).toEqual([{ day: 1, slot_start: 9, slot_end: 10 }]);
  });

  test("a fork continues from its turn, the original thread does not change, and the exported file brings a deleted thread back", async () => {
    const url = await serve({ script: [PLAN, QUERY, NEXT, MOVE, QUERY, NEXT, MOVE, DONE, DELIVERY] });
    const page = await open(url, { expected: /status of (422|404)/ });
    await startThread(page, "Move the essay outline");
    await approvePlan(page);
    await gateCard(page, "Approve this call?");
    const first = threadIn(page);
    const turn = page.locator("#turn-1");
    await turn.getByText("turn 1", { exact: true }).click();
    await turn.getByText("plan_done").first().waitFor();
    await button(turn, "Fork from turn 1").click();
    await page.waitForURL((url) => !url.hash.includes(first));
    await approvePlan(page);
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await waitForDelivery(page);
    await expect.poll(() => slotsOf(threadIn(page), 13)).toEqual([{ day: 4, slot_start: 9, slot_end: 10 }]);
    await expect.poll(() => slotsOf(first, 13)).toEqual([{ day: 1, slot_start: 9, slot_end: 10 }]);
    const delivered = threadIn(page);
    await openMenu(page);
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export as a file").click()]);
    const body = await readFile(await download.path());
    await openMenu(page);
    await button(page, "Delete").click();
    await button(page, "Confirm delete").click();
    await page.getByText("Import a thread").click();
    const choose = (buffer: Buffer) =>
      page.getByLabel("Exported file").setInputFiles({ name: "thread.jsonl", mimeType: "text/plain", buffer });
    await choose(Buffer.from("no export\n"));
    await page.getByRole("alert").waitFor();
    await choose(body);
    await waitForDelivery(page);
    expect(threadIn(page)).toBe(delivered);
  });

  test("a page reload with an open gate does not affect the run", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline");
    await approvePlan(page);
    await gateCard(page, "Approve this call?");
    await page.reload();
    const card = await gateCard(page, "Approve this call?");
    await expect.poll(() => inConversation(page, "Let me see what Thursday looks like.").count()).toBe(1);
    await button(card, "Approve").click();
    await waitForDelivery(page);
  });

  test("without automatic continuation, every turn waits for the user", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline");
    await gateCard(page, "Approve the plan?");
    await openMenu(page);
    await page.getByLabel("Continue automatically").uncheck();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByLabel("Continue automatically").isVisible()).toBe(false);
    await approvePlan(page);
    await button(page, "Next turn").click();
    await inConversation(page, "Let me see what Thursday looks like.").waitFor();
    await button(page, "Next turn").waitFor();
    await expect.poll(() => inConversation(page, "Thursday has room").count()).toBe(0);
  });

  test("changes by another client appear without a reload", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline");
    await gateCard(page, "Approve the plan?");
    const client = server.client();
    const head = await client.get(threadIn(page));
    if (!head.ok || head.value.thread.gate?.kind !== "plan") throw new Error("no plan gate is open");
    const { id: gate_id, digest } = head.value.thread.gate;
    await client.advance(threadIn(page), { type: "confirm", gate_id, digest, decision: "approve" });
    await client.advance(threadIn(page));
    await inConversation(page, "Let me see what Thursday looks like.").waitFor();
    await tab(page, "State").click();
    await expect.poll(() => page.getByRole("img", { name: "Current state: execute, deciding." }).count()).toBe(1);
  });

  test("a stream that breaks while the server answers is repeated without a click, and the turn runs once", async () => {
    const page = await open(await serve({ script: STORY }));
    let streams = 0;
    await page.route(/\/v1\/threads\/[^/]+\/turns$/, async (route) => {
      streams++;
      if (streams > 1) return route.continue();
      // The server runs the turn, and the page receives the beginning of its stream.
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.slice(0, body.indexOf("event: response")) });
    });
    await startThread(page, "Move the essay outline to Thursday");
    await gateCard(page, "Approve the plan?");
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(streams).toBe(2);
    expect(await inConversation(page, "I will look at the week").count()).toBe(1);
  });

  test("a run continues while another page is open", async () => {
    const query = `{"action":"continue","speak":"Let me see.","tool_call":{"name":"query_range","arguments":{"day":4}}}`;
    const done = `{"action":"done","speak":"Seen.","goal_check":"query_range shows the day"}`;
    const model = createPacedModel([`${WAIT}${query}`, done, "Thursday has room."]);
    const page = await open(await serve({ script: [], runtime: { pickModel: () => model } }));
    await startThread(page, "Look at Thursday", { direct: true });
    await page.locator(".live").waitFor();
    await page.getByRole("link", { name: "New thread" }).click();
    await page.getByRole("heading", { name: "Start a thread" }).waitFor();
    model.release();
    await page.getByRole("link", { name: /Look at Thursday.*Delivered/ }).click();
    await waitForDelivery(page);
    await expect.poll(() => inConversation(page, "Let me see.").count()).toBe(1);
  });
});
