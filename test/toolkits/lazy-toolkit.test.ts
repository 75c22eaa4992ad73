// Tests a toolkit whose definition is present from the start and whose code is loaded on first use.
import { expect, test } from "vitest";
import * as z from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { ok } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { threadAt } from "../../src/testing/thread-store/fixtures.ts";
import { lazyToolkit, type ToolkitData } from "../../src/toolkits/lazy-toolkit.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { plugToolkits } from "../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { defineToolkit, type Toolkit } from "../../src/tools/toolkit.ts";
import { aContext } from "../support/tool-context.ts";

const echo = defineTool(
  { name: "echo", description: "Says it again.", input: z.object({ text: z.string() }), output: z.string() },
  ({ text }) => text,
);
const created: unknown[] = [];
const complete = defineToolkit({
  name: "echoes",
  parts: [],
  offered: "always",
  tools: () => [echo],
  routes: () => [
    {
      method: "post",
      path: "/v1/echoes",
      scope: "read",
      openapi: { id: "echo", summary: "Echo", body: z.object({ text: z.string() }), responses: {} },
      handler: () => ok({ text: "again" }),
    },
  ],
  threads: {
    created_for: "calendar",
    created: async (_parts, _tenant, { calendar }) => ok(void created.push(calendar)),
  },
});

const data: ToolkitData = {
  name: "echoes",
  parts: [],
  offered: "always",
  manifests: [{ ...echo.manifest, toolkit: "echoes" }],
  routes: [
    {
      method: "post",
      path: "/v1/echoes",
      scope: "read",
      decodes_body: false,
      openapi: { data: { id: "echo", summary: "Echo" }, loaded: ["body", "responses"] },
    },
  ],
  hooks: ["created"],
  created_for: "calendar",
};

function plug(load: () => Toolkit) {
  const toolbox = createToolbox([]);
  return { toolbox, plugged: succeeded(plugToolkits(toolbox, [lazyToolkit(data, load)], { clock: systemClock })) };
}

test("is plugged in, listed and described without its code", () => {
  const { toolbox, plugged } = plug(() => {
    throw new Error("it was loaded");
  });
  expect(toolbox.manifests()).toEqual([{ ...echo.manifest, toolkit: "echoes" }]);
  expect(plugged.routes).toMatchObject([{ method: "post", path: "/v1/echoes", openapi: { id: "echo" } }]);
});

test("is loaded once, by the first call of a tool", async () => {
  let loads = 0;
  const { toolbox } = plug(() => {
    loads += 1;
    return complete;
  });
  const tool = toolbox.tool("echo", threadAt());
  expect(await tool?.run({ text: "hello" }, aContext())).toBe("hello");
  expect(tool?.manifest.toolkit).toBe("echoes");
  toolbox.tool("echo", threadAt());
  expect(loads).toBe(1);
});

test("has the handlers and schemas of its routes when they are asked for", async () => {
  const { plugged } = plug(() => complete);
  const [route] = plugged.routes;
  expect(route?.openapi?.body?.safeParse({ text: 1 }).success).toBe(false);
  expect(await route?.handler({} as never)).toEqual(ok({ text: "again" }));
});

test("is asked about a new thread only if the request has the field that it is about", async () => {
  const { plugged } = plug(() => complete);
  await plugged.companions.created(threadAt().tenant, { goal: "one" } as never);
  await plugged.companions.created(threadAt().tenant, { goal: "two", calendar: "work" } as never);
  expect(created).toEqual(["work"]);
});

test("a tool that its code lacks is an error, not another tool", () => {
  const { toolbox } = plug(() => ({ ...complete, tools: () => [] }));
  expect(() => toolbox.tool("echo", threadAt())).toThrow("not in its code");
});
