// Provides helpers for common user actions on the page.
import type { Locator, Page } from "playwright-core";

export const button = (on: Page | Locator, name: string): Locator => on.getByRole("button", { name, exact: true });

export async function startThread(page: Page, goal: string, options: { direct?: boolean } = {}): Promise<void> {
  await page.getByLabel("What should the agent do?").fill(goal);
  if (options.direct) await page.getByLabel("Skip planning").check();
  await button(page, "Start").click();
}

/** Waits for the gate card with this title. */
export async function gateCard(page: Page, title: string): Promise<Locator> {
  const card = page.getByRole("region", { name: title });
  await card.waitFor();
  return card;
}

export async function approvePlan(page: Page): Promise<void> {
  await button(await gateCard(page, "Approve the plan?"), "Approve the plan").click();
}

export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });

/** Opens a panel and waits for it, because it is shown after the paint that shows its tab as selected. */
export async function openPanel(page: Page, name: string): Promise<void> {
  await tab(page, name).click();
  await page.getByRole("tabpanel", { name, exact: true }).waitFor();
}

export const threadIn = (page: Page): string => /thr_[0-9a-z]{26}/.exec(page.url())?.[0] ?? "";

export const waitForDelivery = (page: Page): Promise<void> => page.getByText("Run 1: delivered").waitFor();

/** Finds text in the conversation only, because the page repeats some of it for screen readers. */
export const inConversation = (page: Page, text: string): Locator => page.locator(".conversation").getByText(text);

/** Opens the menu with the further actions of a thread. */
export const openMenu = (page: Page): Promise<void> => page.getByLabel("More actions").click();

/** Returns the distance from the top of the window in pixels. */
export const lowerEdge = (element: Locator): Promise<number> =>
  element.evaluate((node) => node.getBoundingClientRect().bottom);

/** Reports whether the middle of the element is in view and not behind another element. */
export const isInFront = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

/** Presses Enter and types without pauses, so that the page handles one event directly after the other. */
export async function enterAndType(page: Page, text: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const press = (event: { key: string; text: string; windowsVirtualKeyCode?: number }): Promise<unknown> =>
    devtools.send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
  await Promise.all([
    press({ key: "Enter", text: "\r", windowsVirtualKeyCode: 13 }),
    ...[...text].map((letter) => press({ key: letter, text: letter })),
  ]);
  await devtools.detach();
}

/** Presses Ctrl+Enter at the moment when the gate with this title appears, like the second press of a double press. */
export const approveAsSoonAsShown = (page: Page, title: string): Promise<void> =>
  page.evaluate((shown) => {
    const observer = new MutationObserver(() => {
      if (document.getElementById("gate-title")?.textContent !== shown) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, title);
