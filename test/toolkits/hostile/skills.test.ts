// Tests hostile names, paths and descriptions of skills. They are refused as values, and a list never has more than one
// plain line per skill.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSkills } from "../../../src/hosts/node/open-skills.ts";
import type { SkillFolder } from "../../../src/ports/data/skill-folder.ts";
import { skills } from "../../../src/toolkits/skills/toolkit.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { unwrap } from "../../support/runtime.ts";
import { plugToolkit } from "../../support/toolkit.ts";
import { REFUSED_SKILLS, SKILL_DESCRIPTIONS } from "./skill-calls.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "pawl-hostile-skills-")));
afterAll(() => rmSync(place, { recursive: true }));
let folder: SkillFolder;
beforeAll(async () => {
  mkdirSync(join(place, "skills/report/docs"), { recursive: true });
  mkdirSync(join(place, "work"));
  writeFileSync(join(place, "secret.txt"), "secret");
  writeFileSync(join(place, "skills/report/SKILL.md"), "---\nname: report\ndescription: About it.\n---\nWrite it.\n");
  writeFileSync(join(place, "skills/report/docs/template.md"), "# Template\n");
  const opened = unwrap(
    await openSkills({ skills: { folder: join(place, "skills") }, workspace: join(place, "work") }),
  );
  if (!opened.folder) throw new Error("no folder");
  folder = opened.folder;
});
const plugged = () => plugToolkit(skills, { documents: createMemoryDocuments(), skills: folder });

test.each(REFUSED_SKILLS)("%s refuses %j", async (name, args) => {
  const { find, call } = plugged();
  if (!find(name).input.safeParse(args).success) return;
  expect((await call(name, args, { idempotency_key: "k" })).value).toMatchObject({ ok: false });
});

test.each(SKILL_DESCRIPTIONS)("the description %j adds no line to a list", async (description) => {
  const { find, call } = plugged();
  const args = { action: "save", name: "mine", description, body: "Do it." };
  if (!find("skill_manage").input.safeParse(args).success) return;
  await call("skill_manage", args, { idempotency_key: "k" });
  const listed = String((await call("read_skill", {})).value);
  expect(listed.split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(listed.includes("mine: ") ? 2 : 1);
  expect(listed.replaceAll("\n", "")).not.toMatch(/(?![\u200c\u200d])\p{C}/u);
});
