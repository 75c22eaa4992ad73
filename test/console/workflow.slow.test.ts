// Tests a workflow in the browser: the graph follows the roles, a suspended role is answered, a step is repeated and
// forked.
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { unwrap } from "../support/runtime.ts";
import type { TestServer } from "../support/server.ts";
import { ASKED, BAD, visits, WRITTEN } from "../support/workflow.ts";
import { horizontalOverflow, seriousViolations } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { button, gateCard, tab, threadIn } from "./page-actions.ts";

const PAIR = readFileSync(new URL("../fixtures/workflows/pair.yaml", import.meta.url), "utf8");

describeInBrowser("a workflow", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();

  async function startWorkflow(): Promise<string> {
    const headers = { "content-type": "application/yaml" };
    const stored = await fetch(`${server.url}/v1/workflows`, { method: "POST", headers, body: PAIR });
    expect(stored.status).toBe(201);
    const created = unwrap(await server.client().create({ workflow: "pair", prompt: "Rain.", budget: { turns: 100 } }));
    return created.thread.id;
  }

  test("shows the graph with the current role, its steps, the suspension, and repeats and forks a step", async () => {
    server = await startConsoleServer(files, { script: visits(ASKED, WRITTEN, BAD, ASKED, WRITTEN, ASKED) });
    const id = await startWorkflow();
    const page = await open(`${server.url}/#/threads/${id}`);
    const graph = page.getByRole("img", { name: "Current role: writer" });
    await graph.waitFor();
    expect(await graph.locator(".state-current").textContent()).toContain("writer");
    expect(await graph.locator(".state").count()).toBe(5);
    await button(page, "Continue").click();
    // The answer to the suspended role is entered in the message field.
    const card = await gateCard(page, "A role waits for you");
    await card.getByText("For which audience?").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const steps = page.getByRole("tabpanel").getByRole("listitem");
    await expect.poll(() => steps.count()).toBe(1);
    await page.locator(".composer textarea").fill("For children.");
    await page.keyboard.press("Enter");
    await expect.poll(() => steps.count()).toBe(4);
    expect(await steps.nth(1).textContent()).toContain("3. reviewer bad");
    await steps.nth(1).getByText("Output").click();
    await steps.nth(1).getByText('"$status"').waitFor();
    await page.getByLabel("Repeat step 4 (writer) with another instruction").fill("Mention the wind.");
    await button(page, "Repeat the step").click();
    await page.getByRole("img", { name: "Current role: reviewer" }).waitFor();
    await expect.poll(() => steps.count()).toBe(5);
    expect(await steps.nth(1).textContent()).toContain("4. writer written");
    await page.setViewportSize(PHONE);
    await tab(page, "Workflow").click();
    expect(await horizontalOverflow(page)).toBe(0);
    await button(page, "Fork: 2").click();
    await expect.poll(() => threadIn(page)).not.toBe(id);
    expect((await thread(threadIn(page))).workflow).toMatchObject({ count: 2, current_role: "reviewer" });
  });

  const thread = async (id: string) => unwrap(await server.client().get(id)).thread;
});
