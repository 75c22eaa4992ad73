// Runs that nobody has to watch: started, paused, given up, revived and spoken to while they are at work.
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { createWorkerRequest } from "../../src/jobs/worker-request.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT, type ThreadId } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Background } from "../../src/schema/thread.ts";
import { setBackground } from "../../src/threads/background.ts";
import { unwrap } from "../support/runtime.ts";
import { horizontalOverflow, seriousViolations } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage, type ConsoleServerWithWorker, startConsoleServerWithWorker } from "./console-server.ts";
import { button, gateCard, inConversation, startThread, threadIn, waitForDelivery } from "./page-actions.ts";
import { STORY } from "./story-script.ts";

const LOOK = (day: number) => ({
  action: "continue",
  speak: `Let me see day ${day}.`,
  tool_call: { name: "query_range", arguments: { day } },
});
const END = { action: "done", speak: "Seen.", goal_check: "query_range shows the days" };

/** Holds every call until the test answers it, known by words of its messages; at the end all of them. */
function createHeldModel() {
  const held: { readonly heard: string; readonly answer: (said: object) => void }[] = [];
  let over = false;
  const reply: Model["reply"] = async ({ messages }) => {
    const heard = messages.map(({ content }) => content).join("\n");
    const said = over ? END : await new Promise<object>((answer) => held.push({ heard, answer }));
    return ok({ text: JSON.stringify(said), model: "held", usage: null });
  };
  const find = (words: string) => held.findLast(({ heard }) => heard.includes(words));
  return {
    model: { name: "held", window: 32_768, max_output_tokens: 2048, prices: null, reply },
    answer: async (words: string, said: object): Promise<void> => {
      await expect.poll(() => find(words) !== undefined).toBe(true);
      find(words)?.answer(said);
    },
    asked: (words: string) => expect.poll(() => find(words) !== undefined).toBe(true),
    end: () => {
      over = true;
      for (const { answer } of held.splice(0)) answer(END);
    },
  };
}

describeInBrowser("a run in the background", () => {
  let files: readonly ConsoleFile[];
  let server: ConsoleServerWithWorker;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const strip = (page: Page) => page.getByRole("region", { name: "Background run" });
  const row = (page: Page) => page.getByRole("navigation", { name: "Threads" }).getByRole("listitem");
  const become = async (page: Page, background: Background): Promise<void> => {
    const at = { tenant: LOCAL_TENANT, thread: threadIn(page) as ThreadId };
    unwrap(
      await setBackground(
        server.rt,
        createWorkerRequest(server.rt, at, { owner: "worker", emit: server.hub.publish }),
        background,
      ),
    );
  };

  test("goes from gate to gate by itself, and is paused, given up and revived before everybody's eyes", async () => {
    server = await startConsoleServerWithWorker(files, { script: STORY });
    const page = await open(server.url);
    await page.getByLabel("in the background").check();
    await startThread(page, "Move the essay outline to Thursday");
    await button(await gateCard(page, "Approve the plan?"), "Approve the plan").waitFor();
    await expect.poll(() => strip(page).textContent()).toContain("It waits for your answer");
    await expect.poll(() => row(page).textContent()).toContain("in the background");
    await button(strip(page), "Pause").click();
    await expect.poll(() => strip(page).textContent()).toContain("Background paused");
    await expect.poll(() => row(page).textContent()).toContain("background paused");
    await become(page, { status: "dead", reason: "model_unavailable: The <b>model</b> does not answer." });
    await expect.poll(() => strip(page).textContent()).toContain("model unavailable The <b>model</b> does not answer.");
    await expect.poll(() => row(page).textContent()).toContain("background given up");
    expect(await strip(page).getByRole("link", { name: "About this problem" }).getAttribute("href")).toBe(
      "/problems/model_unavailable",
    );
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await horizontalOverflow(page)).toBe(0);
    await button(strip(page), "Revive").press("Enter");
    await expect.poll(() => strip(page).textContent()).toContain("In the background");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Pause");
    await button(await gateCard(page, "Approve the plan?"), "Approve the plan").click();
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await waitForDelivery(page);
    await expect.poll(() => strip(page).textContent()).toContain("It rests.");
    await expect.poll(() => inConversation(page, "tester switched the background run").count()).toBe(2);
  });

  test("hears what is said while it is at work: in line, at once, or in a copy from before it", async () => {
    const { model, asked, answer, end } = createHeldModel();
    server = await startConsoleServerWithWorker(files, { script: [], runtime: { pickModel: () => model } });
    const page = await open(server.url);
    await startThread(page, "Look at the week", { direct: true });
    await asked("Look at the week");
    await button(page, "Run in background").click();
    await button(page, "After this turn…").waitFor();
    await answer("Look at the week", LOOK(1));
    await expect.poll(() => strip(page).textContent()).toContain("It runs by itself");
    await asked("assistant: Let me see day 1.");
    const first = threadIn(page);
    const say = async (text: string, way: string): Promise<void> => {
      await page.getByLabel("While it is at work").selectOption({ label: way });
      await page.getByLabel("A message").fill(text);
      await button(page, "Send").click();
    };
    await say("And day 3, please", "let it wait in line");
    const waiting = page.getByRole("list", { name: "Messages that wait" });
    await waiting.getByText("And day 3, please").waitFor();
    await page.reload();
    await waiting.getByText("And day 3, please").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await answer("assistant: Let me see day 1.", LOOK(2));
    await answer("(new in this turn): And day 3, please", LOOK(3));
    await expect.poll(() => page.locator(".said-user").allTextContents()).toContain("You: And day 3, please");
    await expect.poll(() => waiting.count()).toBe(0);
    await asked("assistant: Let me see day 3.");
    await say("No, day 4 first", "interrupt the turn");
    await answer("(new in this turn): No, day 4 first", LOOK(4));
    await inConversation(page, "Let me see day 4.").waitFor();
    await say("Forget all that", "take the run back");
    await answer("(new in this turn): Forget all that", LOOK(5));
    await page.waitForURL((url) => !url.hash.includes(first));
    await inConversation(page, "Forget all that").waitFor();
    await expect.poll(() => inConversation(page, "No, day 4 first").count()).toBe(0);
    await page.goBack();
    await page.getByRole("link", { name: "Open the copy" }).waitFor();
    end();
    await waitForDelivery(page);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  });

  test("what starts runs and who is told of them: switched, looked at, and sent again", async () => {
    server = await startConsoleServerWithWorker(files, { script: [{ action: "answer", speak: "Here I am." }] });
    const client = server.client();
    const page = await open(`${server.url}/#/schedules`);
    await page.getByText("Nothing is scheduled.").waitFor();
    const when = { kind: "interval", every_s: 5400 } as const;
    const what = { kind: "thread", create: { goal: "Water the <b>plants</b>" } } as const;
    const { schedule } = unwrap(await client.schedules.create({ name: "garden", when, what }));
    await page.reload();
    const card = page.getByRole("listitem").filter({ hasText: "garden" });
    await expect.poll(() => card.textContent()).toMatch(/every 90 min.*Water the <b>plants<\/b>.*in 1 h.*never yet/);
    await button(card, "Pause: garden").click();
    await button(card, "Enable: garden").waitFor();
    expect(unwrap(await client.schedules.get(schedule.id)).schedule.enabled).toBe(false);
    await button(card, "Remove").click();
    await button(card, "Really remove?").click();
    await page.getByText("Nothing is scheduled.").waitFor();

    const url = "https://desk.example.com/told";
    unwrap(await client.webhooks.create({ name: "desk", url, events: ["run.delivered"] }));
    server.endpoint.respond = () => 410;
    unwrap(await client.advance(unwrap(await client.create({ goal: "Say hello" })).thread.id));
    await page.getByRole("link", { name: "Webhooks" }).click();
    const desk = page.getByRole("listitem").filter({ hasText: "desk" }).first();
    await desk.getByText("1 dead letter").waitFor();
    server.endpoint.respond = () => 204;
    await button(desk, "Switch on: desk").click();
    await button(desk, "Switch off: desk").waitFor();
    await desk.getByText("1 delivery").click();
    await expect.poll(() => desk.textContent()).toContain("HTTP 410 · the endpoint is gone");
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await horizontalOverflow(page)).toBe(0);
    await button(desk, "Send again: run.delivered").click();
    await desk.getByText("HTTP 204").waitFor();
    await expect.poll(() => desk.getByText("dead letter").count()).toBe(0);
    expect(server.endpoint.received.map(({ url: to }) => to)).toEqual([url, url]);
  });
});
