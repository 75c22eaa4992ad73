// Tests the tools page in the browser: disable and enable a tool, replace and restore its prompt hint.
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { todo } from "../../src/toolkits/basics/todo.ts";
import { unwrap } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, type TestServer } from "../support/server.ts";
import { look } from "../support/tools.ts";
import { horizontalOverflow, seriousViolations } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";

type Tools = {
  tool_names: string[];
  prompt_hints: Record<string, string>;
  disabled_reasons: Record<string, string>;
};

describeInBrowser("the tools page", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const tools = async (): Promise<Tools> => unwrap(await server.client().call<Tools>("GET", "/v1/tools"));

  test("disables and enables a tool", async () => {
    server = await startConsoleServer(files, { script: [], tools: [look, todo] });
    const page = await open(server.url);
    await page.getByRole("link", { name: "Tools" }).click();
    await page.getByRole("button", { name: "Disable: look" }).click();
    await page.getByRole("button", { name: "Enable: look" }).waitFor();
    expect((await tools()).disabled_reasons).toEqual({ look: "global_off" });
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Enable: look" }).click();
    await page.getByRole("button", { name: "Disable: look" }).waitFor();
    expect((await tools()).tool_names).toContain("look");
  });

  test("replaces a prompt hint and restores it", async () => {
    server = await startConsoleServer(files, { script: [], tools: [look, todo] });
    const own = (await tools()).prompt_hints.todo ?? "";
    const page = await open(`${server.url}/#/tools`);
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "todo" }) });
    expect(await card.getByLabel("Prompt hint").inputValue()).toBe(own);
    await card.getByLabel("Prompt hint").fill("only for groceries.");
    await page.getByRole("button", { name: "Save the hint: todo" }).click();
    await card.getByLabel("Prompt hint (replaced)").waitFor();
    expect((await tools()).prompt_hints.todo).toBe("only for groceries.");
    await page.getByRole("button", { name: "Restore the hint: todo" }).click();
    await expect.poll(async () => (await tools()).prompt_hints.todo).toBe(own);
    await expect.poll(() => card.getByLabel("Prompt hint").inputValue()).toBe(own);
    await page.setViewportSize(PHONE);
    expect(await horizontalOverflow(page)).toBe(0);
  });

  test("is linked only for administrators", async () => {
    const keys = () => [aKeyRow("user", "acme", ["read", "advance"])];
    server = await startConsoleServer(files, { script: [], keys });
    const page = await open(server.url, { expected: /401/ });
    await page.getByLabel("API key").fill(apiKeyFor("user"));
    await page.getByRole("button", { name: "Open the console" }).click();
    await page.getByRole("link", { name: "Schedules" }).waitFor();
    expect(await page.getByRole("link", { name: "Tools" }).count()).toBe(0);
  });
});
