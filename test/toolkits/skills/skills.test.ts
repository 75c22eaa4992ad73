// Tests skills: the operator's folder, stored ones, hostile files and names, crashes, and the program of a skill.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { readSkillText } from "../../../src/adapters/skills-folder/skill-folder.ts";
import { openSkills } from "../../../src/hosts/node/open-skills.ts";
import { lazySearch } from "../../../src/hosts/shared/lazy-adapters.ts";
import type { SkillFolder } from "../../../src/ports/data/skill-folder.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { crashMatrix, crashTable } from "../../../src/testing/crash-matrix.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { createStoredSkills } from "../../../src/toolkits/skills/stored-skills.ts";
import { skills } from "../../../src/toolkits/skills/toolkit.ts";
import type { Chunk } from "../../../src/tools/define-tool.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";
import { plugToolkit } from "../../support/toolkit.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "pawl-skills-")));
const [root, workspace] = [join(place, "skills"), join(place, "work")];
afterAll(() => rmSync(place, { recursive: true }));

function writeSkill(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, name, path, ".."), { recursive: true });
    writeFileSync(join(root, name, path), text);
  }
}
const head = (name: string, more = ""): string => `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n`;

const PROGRAM = `
let text = "";
process.stdin.on("data", (piece) => { text += piece; }).on("end", () => {
  console.log(JSON.stringify({ stage: "read", text: "input read" }));
  console.log(JSON.stringify({ got: JSON.parse(text) }));
  process.exit(JSON.parse(text).exit ?? 0);
});`;

let folder: SkillFolder;
beforeAll(async () => {
  mkdirSync(workspace);
  writeSkill("report", { "SKILL.md": `${head("report")}Write it.\n`, "docs/template.md": "# Template\n" });
  writeSkill("run-it", {
    "SKILL.md": `${head("run-it", "metadata:\n  entry: scripts/run.mjs\n")}Run it.`,
    "scripts/run.mjs": PROGRAM,
  });
  writeSkill("append", {
    "SKILL.md": head("append", "metadata:\n  entry: run.sh\n"),
    "run.sh": "cat > /dev/null; echo line >> lines.txt\n",
  });
  writeSkill("stays", {
    "SKILL.md": head("stays", "metadata:\n  entry: run.sh\n"),
    "run.sh":
      "cat > /dev/null; env\nsleep 60 & echo $! > pids.txt\nsetsid sleep 60 > /dev/null & echo $! >> pids.txt\n",
  });
  writeSkill("odd-entry", { "SKILL.md": head("odd-entry", "metadata:\n  entry: run.exe\n") });
  writeSkill("linked-entry", { "SKILL.md": head("linked-entry", "metadata:\n  entry: run.sh\n") });
  writeFileSync(join(place, "elsewhere.sh"), "echo elsewhere\n");
  symlinkSync(join(place, "elsewhere.sh"), join(root, "linked-entry", "run.sh"));
  writeSkill("other-name", { "SKILL.md": head("somebody-else") });
  writeSkill("broken", { "SKILL.md": "no frontmatter" });
  writeFileSync(join(place, "secret.txt"), "secret");
  symlinkSync(join(place, "secret.txt"), join(root, "report", "link.md"));
  const opened = unwrap(await openSkills({ skills: { folder: root }, workspace }));
  expect(opened.warnings).toHaveLength(2);
  if (!opened.folder) throw new Error("no folder");
  folder = opened.folder;
});

function plugged() {
  const documents = createMemoryDocuments();
  const local = unwrap(
    createLocalOperations({ root: workspace, search: lazySearch, process: { env: { PATH: process.env.PATH ?? "" } } }),
  );
  return { ...plugToolkit(skills, { documents, skills: folder, process: () => local }), documents };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const body = { action: "save", name: "mine", description: "How I do it.", body: "1. Do it." };

describe("skills of the folder", () => {
  test("are named in the prompt, listed, and read with their files when they are needed", async () => {
    const { call, find } = plugged();
    expect(find("read_skill").manifest.description).toContain("report (About report.)");
    expect(find("read_skill").manifest.description).not.toContain("Write it.");
    expect((await call("read_skill", {})).value).toBe(
      "append: About append.\nlinked-entry: About linked-entry.\nodd-entry: About odd-entry.\nreport: About report.\nrun-it: About run-it.\nstays: About stays.",
    );
    const read = await call("read_skill", { name: "report" });
    expect(read).toEqual({ value: "report: About report.\n\nWrite it.\n\nFiles: docs/template.md", trust: "trusted" });
    expect((await call("read_skill_file", { name: "report", path: "docs/template.md" })).value).toBe("# Template\n");
  });

  test.each([
    ["../secret.txt"],
    ["docs/../../secret.txt"],
    ["/etc/passwd"],
    [".env"],
    ["docs/.hidden"],
    ["a\\..\\b"],
    ["docs//template.md"],
    ["a\u0000b"],
    [""],
  ])("the path %j is no path of a skill", (path) => {
    expect(plugged().find("read_skill_file").input.safeParse({ name: "report", path }).success).toBe(false);
  });

  test("a link out of the folder is not followed", async () => {
    const { value } = await plugged().call("read_skill_file", { name: "report", path: "link.md" });
    expect(value).toMatchObject({ ok: false });
  });

  test.each(["../report", "Report", "report/", "a".repeat(65), "-a", "a b", "report\n", "__proto__"])(
    "%j is no name of a skill",
    (name) => {
      expect(plugged().find("read_skill").input.safeParse({ name }).success).toBe(false);
    },
  );

  test("a folder inside the workspace is refused, because agents could write programs", async () => {
    mkdirSync(join(workspace, "skills"));
    for (const inside of [workspace, join(workspace, "skills")])
      expect(problemCode(await openSkills({ skills: { folder: inside }, workspace }))).toBe("config_invalid");
  });
});

describe("SKILL.md", () => {
  test.each([
    ["plain", `${head("a")}x`],
    ["with a byte order mark and CRLF", `\uFEFF${head("a").replaceAll("\n", "\r\n")}x\r\n`],
    ["without instructions", head("a").trimEnd()],
  ])("%s is read", (_what, text) => {
    expect(unwrap(readSkillText(text))).toMatchObject({ name: "a", description: "About a." });
  });

  test.each([
    ["text first", `x\n${head("a")}`],
    ["unclosed", "---\nname: a\ndescription: b\n"],
    ["not YAML", "---\nname: [a\n---\n"],
    ["a list", "---\n- a\n---\n"],
    ["no description", "---\nname: a\n---\n"],
    ["an alias bomb", `---\nname: a\ndescription: b\nx: &a [1]\ny: [${"*a,".repeat(50)}1]\n---\n`],
    ["keys that are maps", head("a", `x: ${"{? ".repeat(40)}1${"}".repeat(40)}\n`)],
    ["lists in keys that are not closed", head("a", `x: ${"[? ".repeat(60)}\n`)],
    ["keys of keys", head("a", `${"? ".repeat(8_000)}x\n`)],
    ["a frontmatter of 20,000 characters", head("a", `x: ${"y".repeat(20_000)}\n`)],
    ["a name with a slash", head("../a")],
    ["an entry outside", head("a", "metadata:\n  entry: ../run.py\n")],
    ["an absolute entry", head("a", "metadata:\n  entry: /bin/sh\n")],
    ["an entry with spaces", head("a", 'metadata:\n  entry: "run.py; rm -r ."\n')],
  ])("%s is refused", (_what, text) => {
    expect(problemCode(readSkillText(text))).toBe("skill_invalid");
  });
});

describe("stored skills", () => {
  test("are written, get versions, are read by their tenant only, and are removed", async () => {
    const { call } = plugged();
    expect((await call("skill_manage", body, { idempotency_key: "1" })).value).toEqual({ name: "mine", version: 1 });
    const files = { "notes/a.md": "A note." };
    await call("skill_manage", { ...body, body: "2. Better.", files }, { idempotency_key: "2" });
    expect((await call("read_skill", { name: "mine" })).value).toContain("2. Better.");
    expect((await call("read_skill_file", { name: "mine", path: "notes/a.md" })).value).toBe("A note.");
    expect((await call("read_skill_file", { name: "mine", path: "constructor" })).value).toMatchObject({ ok: false });
    expect((await call("read_skill", { name: "mine" }, { tenant: "other" })).value).toMatchObject({ ok: false });
    expect((await call("skill_manage", { action: "remove", name: "mine" }, { idempotency_key: "3" })).value).toEqual({
      name: "mine",
      version: 0,
    });
    expect((await call("read_skill", {})).value).not.toContain("mine");
  });

  test("written in a tainted thread are untrusted when they are read or listed", async () => {
    const { call } = plugged();
    await call("skill_manage", body, { idempotency_key: "1", tainted: true });
    expect(await call("read_skill", { name: "mine" })).toMatchObject({ trust: "untrusted" });
    expect(await call("read_skill", {})).toMatchObject({ trust: "untrusted" });
  });

  test("have no program, whatever their text says", async () => {
    const { call, find } = plugged();
    await call("skill_manage", { ...body, body: head("mine", "metadata:\n  entry: a.sh\n") }, { idempotency_key: "1" });
    expect(await find("execute_skill").check?.({ name: "mine" }, aContext())).toMatchObject({ ok: false });
  });

  test.each([
    ["a skill of the operator", { ...body, name: "report" }],
    ["the removal of one", { action: "remove", name: "report" }],
    ["a secret", { ...body, body: "Use postgres://admin:hunter2hunter2@db/shop" }],
    ["no body", { action: "save", name: "mine", description: "x" }],
    ["the removal of one that is not there", { action: "remove", name: "nothing" }],
  ])("refuse %s", async (_what, args) => {
    expect((await plugged().call("skill_manage", args, { idempotency_key: "1" })).value).toMatchObject({ ok: false });
  });

  test("are limited in number and size", async () => {
    const stored = createStoredSkills(createMemoryDocuments());
    const save = (n: number, text = "x") =>
      stored.change(LOCAL_TENANT, {
        action: "save",
        skill: {
          ...{ name: `s${n}`, description: "d", body: text, files: {}, effect: `e${n}/${text.length}` },
          ...{ trust: "trusted", saved_at: "2026-03-02T08:00:00.000Z" },
        },
      });
    for (let n = 0; n < 64; n += 1) succeeded(await save(n));
    expect(problemCode(await save(64))).toBe("tool_refused");
    expect(problemCode(await save(0, "x".repeat(250_000)))).toBe("tool_refused");
  });

  test("skill_manage is keyed as declared", async () => {
    const { find, documents } = plugged();
    const stored = createStoredSkills(documents);
    const effects = async (): Promise<number> => succeeded(await stored.list(LOCAL_TENANT))[0]?.version ?? 0;
    const report = await crashMatrix({ tool: find("skill_manage"), arguments: body, effects });
    expect(report.honest, crashTable(report)).toBe(true);
  });

  test("a removal that is sent again does not remove what was written in between", async () => {
    const { call, documents } = plugged();
    const remove = () => call("skill_manage", { action: "remove", name: "mine" }, { idempotency_key: "k" });
    await call("skill_manage", body, { idempotency_key: "1" });
    const first = await remove();
    await call("skill_manage", body, { idempotency_key: "2" });
    expect(await remove()).toEqual(first);
    expect(succeeded(await createStoredSkills(documents).list(LOCAL_TENANT))).toHaveLength(1);
  });
});

describe("execute_skill", () => {
  async function execute(args: unknown) {
    const tool = plugged().find("execute_skill");
    const chunks: Chunk[] = [];
    const stream = tool.run(tool.input.parse(args), aContext()) as AsyncGenerator<Chunk, unknown>;
    for (;;) {
      const next = await stream.next();
      if (next.done) return { chunks, result: next.value };
      chunks.push(next.value);
    }
  }

  test("runs the declared program with JSON as input, and reports its lines of progress", async () => {
    const { chunks, result } = await execute({ name: "run-it", input: { text: "it's $(id) `id` \n 'x'" } });
    expect(result).toBe("exit code 0");
    expect(chunks[0]).toEqual({ stage: "read", text: "input read" });
    expect(JSON.parse(chunks.slice(1).join(""))).toEqual({ got: { text: "it's $(id) `id` \n 'x'" } });
  });

  test("a program that fails proves nothing", async () => {
    expect((await execute({ name: "run-it", input: { exit: 3 } })).result).toMatchObject({
      problem: { code: "tool_refused", message: "exit code 3" },
    });
  });

  test.each(["report", "odd-entry", "linked-entry", "nothing"])("%s has no program to run", async (name) => {
    expect((await execute({ name })).result).toMatchObject({ ok: false });
    expect(await plugged().find("execute_skill").check?.({ name }, aContext())).toMatchObject({ ok: false });
  });

  test("refuses an input that is longer than a command line may be, before anything is asked", async () => {
    const args = { name: "run-it", input: { text: "'".repeat(40_000) } };
    expect((await execute(args)).result).toMatchObject({ problem: { code: "tool_refused" } });
    expect(await plugged().find("execute_skill").check?.(args, aContext())).toMatchObject({ ok: false });
  });

  test("gives the program no variable of the server, and leaves nothing running", async () => {
    process.env.PAWL_TEST_CANARY = "canary-of-the-server";
    const { chunks, result } = await execute({ name: "stays" });
    delete process.env.PAWL_TEST_CANARY;
    expect(result).toBe("exit code 0");
    expect(chunks.join("")).toContain("PATH=");
    expect(chunks.join("")).not.toContain("canary");
    const pids = readFileSync(join(workspace, "pids.txt"), "utf8").trim().split("\n").map(Number);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  test("is unkeyed as declared", async () => {
    const file = join(workspace, "lines.txt");
    writeFileSync(file, "");
    const effects = (): number => readFileSync(file, "utf8").split("\n").length - 1;
    const report = await crashMatrix({
      tool: plugged().find("execute_skill"),
      arguments: { name: "append" },
      effects,
    });
    expect(report.honest, crashTable(report)).toBe(true);
    expect(effects()).toBeGreaterThan(0);
  });

  test("always asks a person, and is absent where no commands run", async () => {
    const { find } = plugged();
    expect(find("execute_skill").manifest).toMatchObject({
      effect: "unkeyed",
      requires_confirmation: true,
      outward: true,
    });
    const { tools } = plugToolkit(skills, { documents: createMemoryDocuments(), skills: folder });
    expect(tools.map(({ manifest }) => manifest.name)).toEqual(["read_skill", "read_skill_file", "skill_manage"]);
  });
});
