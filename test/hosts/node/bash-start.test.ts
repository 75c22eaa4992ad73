import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../../scripts/read-source.ts";
import { bashRefusal } from "../../../src/hosts/node/bash-start.ts";
import { replaceableProgram } from "../../../src/hosts/node/data-folder.ts";

const facts = {
  enabled: true,
  workspace: "/srv/project",
  data: "/srv/project/.pawl",
  sandboxed: false,
  link: null,
  program: null,
};

test("bash does not start where a command finds the data folder in its workspace, and the message says how to move it", () => {
  const refusal = bashRefusal(facts);
  expect(refusal).toContain("commands in the workspace /srv/project could read the data folder /srv/project/.pawl");
  expect(refusal).toContain("mv /srv/project/.pawl /srv/project-data");
  expect(refusal).toContain("PAWL_DATA=/srv/project-data");
});

test.each([
  ["the workspace does not hold the data folder", { data: "/srv/data" }],
  ["the data folder only begins with the same letters", { data: "/srv/project-data" }],
  ["commands run in a sandbox", { sandboxed: true }],
  ["bash is not enabled", { enabled: false }],
  ["there is no workspace, so there is nothing to run commands in", { workspace: null }],
])("nothing is in the way of bash when %s", (_title, change) => {
  expect(bashRefusal({ ...facts, ...change })).toBeNull();
});

test.each([
  ["the workspace is the data folder itself", { workspace: "/srv/project/.pawl" }],
  ["the workspace lies in the data folder", { workspace: "/srv/project/.pawl/work" }],
])("moving the data folder does not help when %s", (_title, change) => {
  expect(bashRefusal({ ...facts, ...change })).toContain('Set "workspace" to a folder outside');
});

test("bash does not start in a sandbox around the program of the server, which a command could change", () => {
  const program = replaceableProgram(projectRoot);
  expect(program).toContain(projectRoot);
  const refusal = bashRefusal({ ...facts, sandboxed: true, program });
  expect(refusal).toContain(`could change the program of this server, ${program}`);
  // The project itself may be inside the temporary folder.
  const elsewhere = mkdtempSync(join(tmpdir(), "pawl-workspace-"));
  expect(replaceableProgram(elsewhere)).toBeNull();
  rmdirSync(elsewhere);
});

test("a workspace that is the whole disk has no folder beside it", () => {
  expect(bashRefusal({ ...facts, workspace: "/" })).toContain('Set "workspace" to a folder that does not contain it');
});

test("a path with blanks and quotes can be pasted into a shell", () => {
  const refusal = bashRefusal({ ...facts, workspace: "/my files/it's", data: "/my files/it's/.pawl" });
  expect(refusal).toContain("mv '/my files/it'\\''s/.pawl' '/my files/it'\\''s-data'");
});
