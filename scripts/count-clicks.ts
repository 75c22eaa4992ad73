// Plays common flows of the console in Chromium and prints how many clicks, key presses and text inputs each of them
// takes. The page counts clicks and keys from real input events. A text input is one filled field of any length. The
// earlier figures were counted once in the same way, with the console of release 0.1.0 and its demo model.
import type { Locator, Page } from "playwright-core";
import { withDemoHost } from "./demo-host.ts";

const MOVE = "Move the essay outline to Thursday of week 1";
const PLACE = "Find time for the lab report draft and place it";

type Effort = { clicks: number; keys: number; texts: number };

/** Marks a flow that had no form in that release. */
const NO_FORM = "no form";
type Before = readonly [number, number, number] | typeof NO_FORM;

class Player {
  readonly #page: Page;
  #effort: Effort = { clicks: 0, keys: 0, texts: 0 };

  constructor(page: Page) {
    this.#page = page;
  }

  async start(url: string): Promise<void> {
    await this.#page.exposeFunction("countInput", (kind: "clicks" | "keys") => {
      this.#effort[kind] += 1;
    });
    await this.#page.addInitScript(`
      addEventListener("pointerdown", (event) => event.isTrusted && countInput("clicks"), true);
      addEventListener("keydown", (event) => event.isTrusted && !["Control", "Shift"].includes(event.key) && countInput("keys"), true);
    `);
    await this.#page.goto(url);
  }

  /** Prints a row of the table with the effort since the last row. */
  async flow(name: string, before: Before, play: () => Promise<void>): Promise<void> {
    this.#effort = { clicks: 0, keys: 0, texts: 0 };
    await play();
    const { clicks, keys, texts } = this.#effort;
    const row = [name, clicks, keys, texts, before === NO_FORM ? NO_FORM : before.join(", ")];
    console.log(`| ${row.join(" | ")} |`);
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.#effort.texts += 1;
    await field.fill(text);
  }

  /** Chooses from a list. This takes two clicks, which the browser does not report. */
  async choose(field: Locator, label: string): Promise<void> {
    this.#effort.clicks += 2;
    await field.selectOption({ label });
  }
}

async function playFlows(page: Page, url: string): Promise<void> {
  const player = new Player(page);
  await player.start(url);
  const button = (name: string): Locator => page.getByRole("button", { name, exact: true });
  const goal = page.getByLabel("What should the agent do?");
  const heading = (name: string): Promise<void> => page.getByRole("heading", { name }).first().waitFor();
  const delivered = (run = 1): Promise<void> => page.getByText(`Run ${run}: delivered`).waitFor();
  const toCall = async (): Promise<void> => {
    await button("Approve the plan").click();
    await heading("Approve this call?");
    // A click in the first moment after a gate opens would be ignored.
    await page.waitForTimeout(800);
  };
  const startMove = async (text = MOVE): Promise<void> => {
    await page.goto(`${url}/#/`);
    await goal.fill(text);
    await goal.press("Enter");
    await toCall();
  };

  console.log("| flow | clicks | key presses | fields | in 0.1.0 |\n|---|---|---|---|---|");
  await player.flow("start a thread, approve its plan and its call", [2, 1, 1], async () => {
    await player.fill(goal, MOVE);
    await goal.press("Enter");
    await toCall();
    await page.locator("[data-approve]").click();
    await delivered();
  });
  await startMove();
  await player.flow("the same approval by keyboard", [0, 3, 0], async () => {
    await page.keyboard.press("Control+Enter");
    await delivered();
  });
  await startMove();
  await player.flow("reject a call with a reason", [2, 0, 1], async () => {
    await player.fill(page.locator(".composer textarea"), "Not on a Thursday");
    await page.keyboard.press("Enter");
    await button("Reject with this reason").click();
    await page.locator(".conversation").getByText("Not on a Thursday").first().waitFor();
  });
  await page.goto(`${url}/#/`);
  await goal.fill(PLACE);
  await goal.press("Enter");
  await button("Approve the plan").click();
  await heading("A question for you");
  await player.flow("answer a question with one of its choices", [1, 0, 0], async () => {
    await page.locator(".gate .choices button").first().click();
    await heading("Approve this call?");
  });
  await player.flow("resume at the open gate after a reload", [0, 0, 0], async () => {
    await page.reload();
    await heading("Approve this call?");
  });
  await player.flow("find a thread by its words and open it", NO_FORM, async () => {
    await page.keyboard.press("Control+k");
    await player.fill(page.getByRole("combobox", { name: "Go to" }), "essay outline");
    await page
      .getByRole("option", { name: /essay outline/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await heading("Move the essay outline");
  });
  await player.flow("rename the open thread", NO_FORM, async () => {
    await page.getByLabel("More actions").click();
    await button("Rename").click();
    await player.fill(page.getByLabel("Title"), "Essay");
    await page.keyboard.press("Enter");
    await heading("Essay");
  });
  await player.flow("fork the open thread", [1, 0, 0], async () => {
    const before = page.url();
    await page.getByLabel("More actions").click();
    await button("Fork").click();
    await page.waitForURL((next) => next.href !== before);
  });
  await startMove();
  await player.flow("approve a call and remember it for the thread", NO_FORM, async () => {
    await player.choose(page.getByLabel("Remember this approval"), "The same call again in this thread");
    await page.locator("[data-approve]").click();
    await delivered();
  });
  await player.flow("revoke the remembered approval", NO_FORM, async () => {
    await button("Revoke").click();
    await button("Revoke").waitFor({ state: "detached" });
  });
  await page.locator(".composer textarea").fill("Undo the last change");
  await page.keyboard.press("Enter");
  await toCall();
  await page.locator("[data-approve]").click();
  await delivered(2);
  await player.flow("compare two runs of a thread", NO_FORM, async () => {
    await page.getByRole("tab", { name: "Turns" }).click();
    for (const run of [1, 2]) await page.getByLabel(`Compare run ${run}`).click();
    await page.locator(".compare > section").nth(1).waitFor();
  });
  await player.flow("create a schedule", NO_FORM, async () => {
    await page.getByRole("link", { name: "Schedules" }).click();
    await page.getByText("New schedule").click();
    await player.fill(page.getByLabel("Name"), "garden");
    await player.fill(page.getByLabel("Goal of the threads"), "Water the plants");
    await button("Create the schedule").click();
    await page.getByRole("listitem").filter({ hasText: "garden" }).waitFor();
  });
  await player.flow("create a webhook for delivered runs", NO_FORM, async () => {
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("New webhook", { exact: true }).click();
    await player.fill(page.getByLabel("Name"), "desk");
    await player.fill(page.getByLabel("URL"), "https://desk.example.com/events");
    await page.getByLabel("a run is delivered").click();
    await button("Create the webhook").click();
    // The host looks the name up. Without a network it refuses the address, after the same effort.
    await page.locator(".secret-once code").or(page.getByRole("alert")).first().waitFor();
  });
  await player.flow("create an inbound webhook", NO_FORM, async () => {
    const inbound = page.getByRole("region", { name: "Inbound webhooks" });
    await inbound.getByText("New inbound webhook").click();
    await player.fill(inbound.getByLabel("Name"), "payments");
    await player.fill(inbound.getByLabel("Goal of the thread"), "File the payment");
    await inbound.getByRole("button", { name: "Create the webhook" }).click();
    await inbound.locator(".secret-once code").first().waitFor();
  });
}

await withDemoHost(async (browser, url) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  page.setDefaultTimeout(15_000);
  await playFlows(page, url);
});
