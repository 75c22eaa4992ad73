// Short ways to do on the page what people do.
import type { Locator, Page } from "playwright-core";

export const button = (on: Page | Locator, name: string): Locator => on.getByRole("button", { name, exact: true });

export async function startThread(page: Page, goal: string, options: { direct?: boolean } = {}): Promise<void> {
  await page.getByLabel("What should be done?").fill(goal);
  if (options.direct) await page.getByLabel("without a plan").check();
  await button(page, "Start").click();
}

/** The card of the gate that is open, once its title is there. */
export async function gateCard(page: Page, title: string): Promise<Locator> {
  const card = page.getByRole("region", { name: title });
  await card.waitFor();
  return card;
}

export async function approvePlan(page: Page): Promise<void> {
  await button(await gateCard(page, "Approve the plan?"), "Approve the plan").click();
}

export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });

export const threadIn = (page: Page): string => /thr_[0-9a-z]{26}/.exec(page.url())?.[0] ?? "";

export const waitForDelivery = (page: Page): Promise<void> => page.getByText("Run 1: delivered").waitFor();

/** Words in the conversation; the page says some of them once more for those who do not see it. */
export const inConversation = (page: Page, text: string): Locator => page.locator(".talk").getByText(text);
