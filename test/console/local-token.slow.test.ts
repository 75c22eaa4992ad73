// Tests how the console exchanges the one-time token in the server's link for a cookie, on servers without API keys
// whose tools can start processes.
import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, expect, test } from "vitest";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createLocalToken } from "../../src/http/edge/local-token.ts";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { unwrap } from "../support/runtime.ts";
import type { TestServer } from "../support/server.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { approvePlan, startThread } from "./page-actions.ts";
import { STORY } from "./story-script.ts";

describeInBrowser("link with a token", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const serve = async () => {
    const local = createLocalToken({ random: () => randomBytes(32).toString("base64url"), hash: nodeHash });
    server = await startConsoleServer(files, {
      script: STORY,
      settings: { authenticate: local.authenticate },
      routes: local.routes,
    });
    return { local, url: server.url };
  };

  test("lets the page approve, and leaves no token in the URL or readable by scripts", async () => {
    const { local, url } = await serve();
    const token = local.issueLinkCode();
    const page = await open(`${url}/#token=${token}`);
    await expect.poll(() => page.url()).toBe(`${url}/#/`);
    expect(await page.evaluate("document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)")).toBe(
      "{}{}",
    );
    await startThread(page, "Move the essay outline to Thursday of week 2");
    await approvePlan(page);
    const kinds = async () => unwrap(await server.client().gates()).gates.map(({ gate }) => gate.kind);
    await expect.poll(kinds).not.toContain("plan");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("without the token, the page explains how to approve", async () => {
    const { url } = await serve();
    const page = await open(url, { expected: /401/ });
    await startThread(page, "Move the essay outline to Thursday of week 2");
    await approvePlan(page);
    const alert = page.getByRole("alert");
    await alert.getByText("this needs the token that the server printed").waitFor();
    expect(await alert.locator(".problem-hint").textContent()).toContain("Open the link");
  });
});
