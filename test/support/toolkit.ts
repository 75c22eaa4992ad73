// Plugs in one toolkit as a host does, for tests that call its tools and its routes.
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createApp } from "../../src/http/app.ts";
import { toolkitRoutes } from "../../src/http/toolkit-route.ts";
import type { Tool, ToolContext } from "../../src/tools/define-tool.ts";
import { isOutcome } from "../../src/tools/outcome.ts";
import { plugToolkits } from "../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import type { Parts, Toolkit } from "../../src/tools/toolkit.ts";
import { createTestRuntime } from "./runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "./server.ts";
import { aContext } from "./tool-context.ts";

export type CallResult = { readonly value: unknown; readonly trust: string | undefined };

export function plugToolkit(toolkit: Toolkit, parts: Partial<Parts>) {
  const given = { clock: systemClock, ...parts };
  const plugged = plugToolkits(createToolbox([]), [toolkit], given);
  if (!plugged.ok) throw new Error(plugged.problem.message);
  if (plugged.value.absent.length > 0) throw new Error(JSON.stringify(plugged.value.absent));
  const tools = toolkit.tools(given as Parameters<Toolkit["tools"]>[0]);
  const find = (name: string): Tool => {
    const found = tools.find(({ manifest }) => manifest.name === name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
  const call = async (name: string, args: unknown, context: Partial<ToolContext> = {}): Promise<CallResult> => {
    const tool = find(name);
    const result = await tool.run(tool.input.parse(args), aContext(context));
    return isOutcome(result)
      ? { value: result.value, trust: result.more.output_trust }
      : { value: result, trust: undefined };
  };
  return { tools, find, call, routes: toolkitRoutes(plugged.value.routes) };
}

export type PluggedToolkit = ReturnType<typeof plugToolkit>;

/** Sends requests to the toolkit's routes as the key of a tenant. */
export function requestsTo({ routes }: PluggedToolkit) {
  const keys = [aKeyRow("alice", "acme"), aKeyRow("bob", "bolt"), aKeyRow("reader", "acme", ["read"])];
  const app = createApp(testSettings(createTestRuntime([]), { keys: () => keys }), routes);
  return async (key: string, method: string, path: string, body?: unknown) => {
    const response = await app.request(path, {
      method,
      headers: {
        authorization: `Bearer ${apiKeyFor(key)}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  };
}
