// Tests sub-agents in the browser. The card of a parent lists them, leads to the gate of a child and back, and shows
// how they ended.
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { createCrew } from "../../src/jobs/crew/create-crew.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { crew } from "../../src/toolkits/crew/toolkit.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { call, DONE } from "../support/crew.ts";
import { unwrap } from "../support/runtime.ts";
import type { TestServer } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";
import { horizontalOverflow, seriousViolations } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { button, gateCard, threadIn } from "./page-actions.ts";

function reply({ messages, purpose }: ModelRequest) {
  const [, dialogue = "", record = ""] = messages.map(({ content }) => content);
  const goal = /Goal of this run: (.*)/.exec(dialogue)?.[1] ?? "";
  if (purpose === "deliver") return `Delivered: ${goal}`;
  if (record.includes("<observation ")) return DONE;
  if (goal === "Parent")
    return call("delegate_parallel", { tasks: [{ task: "Look it up" }, { task: "Write it down" }] });
  return goal === "Write it down" ? call("write", { line: "rain" }) : DONE;
}

function* script(): Iterable<ScriptEntry> {
  for (;;) yield { reply };
}

describeInBrowser("sub-agents", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();

  test("are listed with their state, lead to their gate and back to their parent", async () => {
    const written: string[] = [];
    server = await startConsoleServer(files, {
      script: script(),
      tools: [createWriteTool(written)],
      runtime: { config: { ...DEFAULT_CONFIG, parts: ["crew"] } },
    });
    const { rt } = server;
    const tools = crew.tools({ clock: rt.clock, crew: createCrew(rt) } as never);
    unwrap(rt.toolbox.plug({ name: "crew", offered: "always", tools }));
    const created = unwrap(await server.client().create({ goal: "Parent", mode: "direct" }));
    const id = created.thread.id;
    const page = await open(`${server.url}/#/threads/${id}`, { expected: /409/ });
    await button(page, "Continue").click();

    const card = page.getByRole("region", { name: "Related threads" });
    await card.getByRole("link", { name: "Call approval" }).waitFor();
    await card.getByText("Delivered").waitFor();
    expect(await card.getByRole("listitem").count()).toBe(2);
    expect(await seriousViolations(page)).toEqual([]);

    await card.getByRole("link", { name: "Call approval" }).click();
    const gate = await gateCard(page, "Approve this call?");
    expect(threadIn(page)).not.toBe(id);
    await button(gate, "Approve").click();
    await page.getByText("Run 1: delivered").waitFor();
    expect(written).toHaveLength(1);

    await page.getByRole("link", { name: "Parent thread" }).click();
    await expect.poll(() => threadIn(page)).toBe(id);
    await button(page, "Continue").click();
    await page.getByText("Run 1: delivered").waitFor();
    // The call has ended, but its results still name the sub-agents.
    await expect.poll(() => card.getByText("Delivered").count()).toBe(2);
    expect(await card.getByRole("link").allTextContents()).toEqual(["Look it up", "Write it down"]);
    await page.setViewportSize(PHONE);
    expect(await horizontalOverflow(page)).toBe(0);
  });
});
