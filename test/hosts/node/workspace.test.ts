import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkspace } from "../../../src/hosts/node/workspace.ts";
import { BashConfig } from "../../../src/schema/bash-config.ts";
import type { ToolContext } from "../../../src/tools/define-tool.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-workspace-"));
const bash = BashConfig.parse({});
const data = join(folder, ".pawl");
const config = { bash, data, providers: {}, keys_file: null };
beforeAll(() => {
  mkdirSync(data);
  writeFileSync(join(data, "secret"), "signs links");
  writeFileSync(join(folder, "notes.txt"), "plain");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a project whose data folder lies in its workspace keeps that folder to itself", async () => {
  const opened = openWorkspace({ ...config, workspace: folder }, {});
  if (!opened.ok) throw new Error(opened.problem.message);
  const { files } = opened.value.operations({} as ToolContext);
  expect(await files.read("notes.txt")).toMatchObject({ ok: true });
  expect(await files.read(".pawl/secret")).toMatchObject({
    problem: { code: "path_outside_workspace", details: { reason: "closed" } },
  });
});

test("a workspace that is the data folder is a mistake", () => {
  expect(openWorkspace({ ...config, workspace: data }, {})).toMatchObject({
    problem: { code: "config_invalid" },
  });
});
