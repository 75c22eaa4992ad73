// Tests background runs in the browser: start, pause, exhausted retries, retry, and messages during a run.
import type { Page } from "playwright-core";
import { Webhook as Signer } from "standardwebhooks";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { createWorkerRequest } from "../../src/jobs/worker-request.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT, type ThreadId } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Background } from "../../src/schema/thread.ts";
import { setBackground } from "../../src/threads/change-state.ts";
import { unwrap } from "../support/runtime.ts";
import { horizontalOverflow, seriousViolations, smallTargets } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser, WIDE } from "./browser.ts";
import { buildPage, type ConsoleServerWithWorker, startConsoleServerWithWorker } from "./console-server.ts";
import { createPacedModel, WAIT } from "./paced-model.ts";
import { button, gateCard, inConversation, lowerEdge, startThread, threadIn, waitForDelivery } from "./page-actions.ts";
import { STORY } from "./story-script.ts";

const QUERY = (day: number) => ({
  action: "continue",
  speak: `Let me see day ${day}.`,
  tool_call: { name: "query_range", arguments: { day } },
});
const END = { action: "done", speak: "Seen.", goal_check: "query_range shows the days" };

/**
 * Creates a model that blocks every request until the test answers it, matched by text in its prompt. `end` answers all
 * remaining requests.
 */
function createBlockingModel() {
  const pending: { readonly prompt: string; readonly answer: (decision: object) => void }[] = [];
  let ended = false;
  const reply: Model["reply"] = async ({ messages }) => {
    const prompt = messages.map(({ content }) => content).join("\n");
    const decision = ended ? END : await new Promise<object>((answer) => pending.push({ prompt, answer }));
    return ok({ text: JSON.stringify(decision), model: "blocking", usage: null });
  };
  const find = (text: string) => pending.findLast(({ prompt }) => prompt.includes(text));
  return {
    model: { name: "blocking", window: 32_768, max_output_tokens: 2048, prices: null, reply },
    answer: async (text: string, decision: object): Promise<void> => {
      await expect.poll(() => find(text) !== undefined).toBe(true);
      find(text)?.answer(decision);
    },
    requested: (text: string) => expect.poll(() => find(text) !== undefined).toBe(true),
    end: () => {
      ended = true;
      for (const { answer } of pending.splice(0)) answer(END);
    },
  };
}

/** Sends an event as a sender's library does. */
async function sendEvent(url: string, secret: string): Promise<void> {
  const [id, body, now] = ["evt-1", '{"amount":7}', new Date()];
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Signer(secret).sign(id, now, body),
  };
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(202);
}

describeInBrowser("background run", () => {
  let files: readonly ConsoleFile[];
  let server: ConsoleServerWithWorker;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const statusBar = (page: Page) => page.getByRole("region", { name: "Background run" });
  const switchTo = async (page: Page, background: Background): Promise<void> => {
    const at = { tenant: LOCAL_TENANT, thread: threadIn(page) as ThreadId };
    unwrap(
      await setBackground(
        server.rt,
        createWorkerRequest(server.rt, at, { owner: "worker", emit: server.hub.publish }),
        background,
      ),
    );
  };

  test("continues from gate to gate, and shows pause, exhausted retries, retry and a lost connection", async () => {
    server = await startConsoleServerWithWorker(files, { script: STORY });
    const page = await open(server.url, { expected: /net::ERR_FAILED/ });
    expect(await page.getByLabel("Keep running when this page is closed").isChecked()).toBe(true);
    await startThread(page, "Move the essay outline to Thursday");
    await button(await gateCard(page, "Approve the plan?"), "Approve the plan").waitFor();
    await expect.poll(() => page.locator(".thread-head").textContent()).toContain("Waiting for you");
    expect(await statusBar(page).count()).toBe(0);
    await button(page, "Pause").click();
    await expect.poll(() => statusBar(page).textContent()).toContain("Background run paused");
    await switchTo(page, { status: "dead", reason: "model_unavailable: The <b>model</b> does not answer." });
    await expect
      .poll(() => statusBar(page).textContent())
      .toContain("model unavailable The <b>model</b> does not answer.");
    expect(await statusBar(page).getByRole("link", { name: "About this problem" }).getAttribute("href")).toBe(
      "/problems/model_unavailable",
    );
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await horizontalOverflow(page)).toBe(0);
    await button(statusBar(page), "Retry").press("Enter");
    await expect.poll(() => statusBar(page).count()).toBe(0);
    await page.setViewportSize(WIDE);
    const lost = page.getByText("The server cannot be reached.");
    await page.route(/\/v1\/|\/healthz/, (route) => route.abort());
    await page.getByRole("link", { name: "Inbox" }).click();
    await lost.waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.unroute(/\/v1\/|\/healthz/);
    await lost.waitFor({ state: "detached" });
    await page.goBack();
    await button(await gateCard(page, "Approve the plan?"), "Approve the plan").click();
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await waitForDelivery(page);
    await expect.poll(() => inConversation(page, "tester changed the background run").count()).toBe(2);
  });

  test("a reload in the middle of a sentence stops nothing and shows all of it", async () => {
    const model = createPacedModel([`{"action":"answer","speak":"The first half ${WAIT}and the second."}`]);
    server = await startConsoleServerWithWorker(files, { script: [], runtime: { pickModel: () => model } });
    const page = await open(server.url);
    await startThread(page, "Say something long");
    await page.locator(".live").getByText("The first half").waitFor();
    await page.reload();
    await page.locator(".live").getByText("The first half").waitFor();
    model.release();
    await waitForDelivery(page);
    await inConversation(page, "The first half and the second.").waitFor();
  });

  test("a message during a run is queued, interrupts the turn, or goes to a fork", async () => {
    const { model, requested, answer, end } = createBlockingModel();
    server = await startConsoleServerWithWorker(files, { script: [], runtime: { pickModel: () => model } });
    const page = await open(server.url);
    await startThread(page, "Look at the week", { direct: true });
    await requested("Look at the week");
    await answer("Look at the week", QUERY(1));
    await requested("assistant: Let me see day 1.");
    const first = threadIn(page);
    const sendMessage = async (text: string, policy: string): Promise<void> => {
      const field = page.getByLabel("Message", { exact: true });
      const choice = page.getByLabel("While the run is busy");
      expect(await choice.isVisible()).toBe(false);
      const before = await lowerEdge(field);
      await field.fill(text);
      await choice.selectOption({ label: policy });
      // The options of a message appear with its first letter, and the field must stay where it is.
      expect(await lowerEdge(field)).toBe(before);
      await button(page, "Send").click();
    };
    await sendMessage("And day 3, please", "Queue it");
    const queued = page.getByRole("list", { name: "Queued messages" });
    await queued.getByText("And day 3, please").waitFor();
    await page.reload();
    await queued.getByText("And day 3, please").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await answer("assistant: Let me see day 1.", QUERY(2));
    await answer("(new in this turn): And day 3, please", QUERY(3));
    await expect.poll(() => page.locator(".message-user").allTextContents()).toContain("You: And day 3, please");
    await expect.poll(() => queued.count()).toBe(0);
    await requested("assistant: Let me see day 3.");
    await sendMessage("No, day 4 first", "Interrupt the turn");
    await answer("(new in this turn): No, day 4 first", QUERY(4));
    await inConversation(page, "Let me see day 4.").waitFor();
    await sendMessage("Forget all that", "Roll back the run");
    await answer("(new in this turn): Forget all that", QUERY(5));
    await page.waitForURL((url) => !url.hash.includes(first));
    await inConversation(page, "Forget all that").waitFor();
    await expect.poll(() => inConversation(page, "No, day 4 first").count()).toBe(0);
    await page.goBack();
    await page.getByRole("link", { name: "Open the fork" }).waitFor();
    end();
    await waitForDelivery(page);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  });

  test("schedules, webhooks, inbound webhooks and failed runs have forms", async () => {
    server = await startConsoleServerWithWorker(files, {
      script: Array.from({ length: 5 }, () => ({ action: "answer", speak: "Here I am." })),
    });
    const client = server.client();
    const page = await open(`${server.url}/#/schedules`, { expected: /status of 4(00|04|22)/ });
    await page.getByText("No schedules are configured.").waitFor();
    await page.getByText("New schedule").click();
    await page.setViewportSize(PHONE);
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize(WIDE);
    await page.getByLabel("Name").fill("garden");
    await page.getByLabel("Goal of the threads").fill("Water the <b>plants</b>");
    await page.getByLabel("Time zone").fill("Asia/Shanghai");
    await page.getByLabel("Cron expression").fill("0 8 * * 1");
    const times = page.locator(".schedule-preview li");
    await expect.poll(() => times.first().textContent()).toMatch(/^Monday.*8:00/);
    expect(await times.count()).toBe(5);
    await page.getByLabel("Cron expression").fill("not a cron");
    await page.locator(".field-error").waitFor();
    await page.getByLabel("When").selectOption({ label: "At regular intervals" });
    await page.getByLabel("Interval in minutes").fill("90");
    expect(await seriousViolations(page)).toEqual([]);
    await button(page, "Create the schedule").click();
    const card = page.getByRole("listitem").filter({ hasText: "garden" });
    await expect.poll(() => card.textContent()).toMatch(/every 90 min.*Water the <b>plants<\/b>.*in 1 hr.*never/);
    await button(card, "Pause: garden").click();
    await button(card, "Resume: garden").waitFor();
    expect(unwrap(await client.schedules.list()).schedules[0]?.enabled).toBe(false);
    await card.getByText("Edit: garden").click();
    await card.getByLabel("Name").fill("balcony");
    await card.getByLabel("Interval in minutes").fill("120");
    await button(card, "Save").click();
    const changed = page.getByRole("listitem").filter({ hasText: "balcony" });
    await expect.poll(() => changed.textContent()).toMatch(/every 2 hr.*Water the <b>plants<\/b>/);
    await button(changed, "Delete").click();
    await button(changed, "Confirm delete").click();
    await page.getByText("No schedules are configured.").waitFor();

    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("New webhook", { exact: true }).click();
    const url = "https://desk.example.com/events";
    await page.getByLabel("Name").fill("desk");
    await page.getByLabel("URL").fill(url);
    await page.getByLabel("a run is delivered").check();
    await button(page, "Create the webhook").click();
    await expect.poll(() => page.locator(".secret-once code").textContent()).toMatch(/^whsec_/);
    await button(page, "I have stored it").click();
    await page.getByText("New inbound webhook").click();
    const inbound = page.getByRole("region", { name: "Inbound webhooks" });
    await inbound.getByLabel("Name").fill("payments");
    await inbound.getByLabel("Goal of the thread").fill("File the payment");
    await button(inbound, "Create the webhook").click();
    await expect.poll(() => inbound.locator(".secret-once code").count()).toBe(2);
    await inbound.getByRole("listitem").filter({ hasText: "starts a thread: File the payment" }).waitFor();
    const [received, secret] = await inbound.locator(".secret-once code").allTextContents();
    await button(inbound, "I have stored it").click();
    server.endpoint.respond = () => 410;
    unwrap(await client.advance(unwrap(await client.create({ goal: "Say hello" })).thread.id));
    await page.reload();
    const desk = page.getByRole("listitem").filter({ hasText: "desk" }).first();
    await desk.getByText("1 dead letter").waitFor();
    server.endpoint.respond = () => 204;
    await button(desk, "Enable: desk").click();
    await button(desk, "Disable: desk").waitFor();
    await desk.getByText("1 delivery").click();
    await expect.poll(() => desk.textContent()).toContain("HTTP 410 · the endpoint is gone");
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await horizontalOverflow(page)).toBe(0);
    await button(desk, "Redeliver: a run is delivered").click();
    await desk.getByText("HTTP 204").waitFor();
    await expect.poll(() => desk.getByText("dead letter").count()).toBe(0);
    expect(server.endpoint.received.map(({ url: to }) => to)).toEqual([url, url]);

    const { id } = unwrap(await client.create({ metadata: { title: "Fail first" }, run: "background" })).thread;
    const request = createWorkerRequest(
      server.rt,
      { tenant: LOCAL_TENANT, thread: id as ThreadId },
      { owner: "worker", emit: server.hub.publish },
    );
    unwrap(await setBackground(server.rt, request, { status: "dead", reason: "model_unavailable: No answer." }));
    await page.setViewportSize(WIDE);
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByText("No answer.").waitFor();
    await button(page, "Restart: Fail first").click();
    await expect.poll(async () => unwrap(await client.get(id)).thread.background?.status).toBe("on");
    await page.getByRole("link", { name: "Webhooks" }).click();
    await inbound.getByText("Received events").click();
    await inbound.getByText("No event has arrived yet.").waitFor();
    await sendEvent(received ?? "", secret ?? "");
    await inbound.getByText("Accepted").waitFor();
    await inbound.getByRole("button", { name: /^Process again/ }).click();
    await expect.poll(() => inbound.getByText("Accepted").count()).toBe(2);
    await inbound.getByText("Edit: payments").click();
    await inbound.getByLabel("Goal of the thread").fill("File it twice");
    await button(inbound, "Save").click();
    await inbound.getByText("starts a thread: File it twice").waitFor();
    await page.getByRole("link", { name: "Agents" }).click();
    await page.getByText("confirm", { exact: true }).waitFor();
    await page.getByText("This server has no keys").waitFor();
    await page.getByText("New workflow").click();
    await page.getByLabel("Workflow as YAML").fill("name: nothing");
    await button(page, "Store the workflow").click();
    await page.getByRole("alert").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });
});
