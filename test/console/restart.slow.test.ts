// Kills the server in the middle of a sentence and restarts it, with a real host process and a real page.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { type OpenAiStub, startOpenAiStub } from "../support/openai-stub.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage } from "./console-server.ts";
import { button, inConversation } from "./page-actions.ts";

const SENTENCE = "The garden needs water on Monday and on Thursday.";
const HALF = SENTENCE.slice(0, 24);
const REPLY = JSON.stringify({ action: "answer", speak: SENTENCE });
const UNFINISHED = REPLY.slice(0, REPLY.indexOf(HALF) + HALF.length);

/**
 * Returns a configuration with short times, because a killed worker is replaced only after the time of a turn and the
 * lease.
 */
const config = (stub: OpenAiStub) => ({
  providers: { stub: { base_url: stub.base_url } },
  models: { stub: { provider: "stub", name: "stub", window: 32_768 } },
  limits: { turn_deadline_ms: 12_000 },
  jobs: { lease_ms: 1000 },
});

describeInBrowser("restart of the server", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-restart-"));
  let stub: OpenAiStub;
  afterEach(async () => {
    await killApps();
    await stub.close();
    rmSync(folder, { recursive: true });
  });
  const open = useBrowser();

  /** Opens the page as built from the current sources. Everything else comes from the host. */
  async function openPage(app: AppProcess): Promise<Page> {
    const files = await buildPage();
    const page = await open("about:blank", { expected: /net::ERR_/ });
    for (const { path, type, body } of files)
      await page.route(`${app.url}${path}`, (route) => route.fulfill({ body, contentType: type }));
    await page.goto(app.url);
    return page;
  }

  test("is shown once, heals by itself, and leaves the whole sentence", async () => {
    stub = await startOpenAiStub();
    stub.queue({ kind: "silence", text: UNFINISHED }, { kind: "silence", text: UNFINISHED });
    stub.setDefault({ kind: "text", text: REPLY });
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config(stub)));
    const first = await startApp(folder);
    const pages = [await openPage(first), await openPage(first)];
    for (const [i, page] of pages.entries()) {
      await page.getByLabel("What should the agent do?").fill("When does the garden need water?");
      // The second page advances its run itself.
      if (i === 1) await page.getByLabel("Keep running when this page is closed").uncheck();
      await button(page, "Start").click();
    }
    for (const page of pages) await inConversation(page, HALF).waitFor();

    first.kill();
    await first.ended;
    for (const page of pages) {
      await page.getByText("The server cannot be reached.").waitFor();
      await expect.poll(() => page.getByRole("alert").count()).toBe(0);
      expect(await page.locator(".composer textarea").isEnabled()).toBe(true);
    }
    await startApp(folder, { PORT: new URL(first.url).port });
    for (const page of pages) {
      await page.getByText("The server cannot be reached.").waitFor({ state: "detached" });
      // The text of the killed turn must not look as if it continued.
      if (page === pages[0]) await expect.poll(() => inConversation(page, HALF).count()).toBe(0);
      await inConversation(page, SENTENCE).waitFor();
      await page.getByText("Run 1: delivered").waitFor();
      await page.reload();
      await inConversation(page, SENTENCE).waitFor();
      expect(await inConversation(page, HALF).count()).toBe(1);
    }
  });
});
