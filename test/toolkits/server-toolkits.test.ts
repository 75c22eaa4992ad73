// Tests the toolkits of the built server. Whatever parts the configuration adds, their tools and routes are those of
// the sources.
import { describe, expect, test } from "vitest";
import { describeForNode, NODE_PARTS, stubParts } from "../../scripts/toolkits-on-first-use.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { TOOLKITS } from "../../src/toolkits/index.ts";
import { lazyToolkit } from "../../src/toolkits/lazy-toolkit.ts";
import { plugToolkits } from "../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import type { PartName, Toolkit } from "../../src/tools/toolkit.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";

const NAMES = Object.keys(NODE_PARTS) as PartName[];
const usual = NAMES.filter((name) => NODE_PARTS[name]);
const described = TOOLKITS.filter(({ parts }) => parts.every((part) => NODE_PARTS[part]));

function contentsWith(toolkit: Toolkit, names: readonly PartName[]) {
  const toolbox = createToolbox([]);
  const plugged = succeeded(plugToolkits(toolbox, [toolkit], stubParts(names)));
  const routes = plugged.routes.map(({ method, path, scope, openapi }) => [method, path, scope, openapi?.id]);
  return JSON.parse(JSON.stringify({ manifests: toolbox.manifests(), routes }));
}

describe.each(described.map((toolkit) => [toolkit.name, toolkit] as const))("the toolkit %s", (_name, toolkit) => {
  const data = JSON.parse(JSON.stringify(describeForNode(toolkit)));

  test("has the same tools and routes with every set of parts", () => {
    const lazy = lazyToolkit(data, () => toolkit);
    const optional = NAMES.filter((name) => !toolkit.parts.includes(name));
    const toggled = optional.map((name) =>
      usual.includes(name) ? usual.filter((one) => one !== name) : [...usual, name],
    );
    for (const names of [usual, NAMES, toolkit.parts, ...toggled])
      expect(contentsWith(lazy, names)).toEqual(contentsWith(toolkit, names));
  });

  test("is not loaded by a server with the usual parts", () => {
    const lazy = lazyToolkit(data, () => {
      throw new Error("loaded");
    });
    expect(contentsWith(lazy, usual).manifests.length).toBeGreaterThan(0);
  });
});

test("a part that changes the tools of a toolkit is found", () => {
  const find = (name: string) => TOOLKITS.find((toolkit) => toolkit.name === name) ?? expect.fail(name);
  expect(describeForNode(find("calendar")).described_for).toEqual({ dav: false, schedules: true });
  expect(describeForNode(find("files")).described_for).toEqual({});
});

test("the toolkit calendar is loaded for the sample at the first start only", async () => {
  const calendar = TOOLKITS.find(({ name }) => name === "calendar") ?? expect.fail("calendar");
  const documents = createMemoryDocuments();
  let loads = 0;
  const start = async (): Promise<void> => {
    const load = (): Toolkit => {
      loads += 1;
      return calendar;
    };
    const lazy = lazyToolkit(JSON.parse(JSON.stringify(describeForNode(calendar))), load);
    const parts = { ...stubParts(usual), documents };
    const { sample } = succeeded(plugToolkits(createToolbox([]), [lazy], parts));
    succeeded(await sample({ tenant: LOCAL_TENANT, now: Date.UTC(2031, 6, 9, 12), time_zone: "Europe/Berlin" }));
  };
  await start();
  expect(loads).toBeGreaterThan(0);
  loads = 0;
  await start();
  expect(loads).toBe(0);
});
