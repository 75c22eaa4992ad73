// Tests git on real repositories: what it shows, and that it never runs a program that a repository names.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositories } from "./repositories.ts";

const { place, aRepository } = repositories();

describe("git", () => {
  test("shows status, diff, log, show, blame and branches", async () => {
    const { git, write, run } = aRepository();
    write("a.txt", "one\nTWO\n");
    write("new file.txt", "x");
    expect(await git({ action: "status" })).toBe('## main\n M a.txt\n?? "new file.txt"\n');
    expect(await git({ action: "diff" })).toContain("-two\n+TWO");
    expect(await git({ action: "diff", path: "new file.txt" })).toBe("(nothing)");
    run("add", "a.txt");
    expect(await git({ action: "diff", staged: true })).toContain("+TWO");
    run("commit", "-q", "-m", "second; $(id)");
    expect(await git({ action: "log", limit: 1 })).toMatch(/^[0-9a-f]{40} A .*\n {4}second; \$\(id\)\n$/);
    expect(await git({ action: "show", ref: "HEAD~1" })).toContain("+two");
    expect(await git({ action: "blame", path: "a.txt" })).toContain("TWO");
    expect(await git({ action: "branch" })).toContain("* main");
    expect(await git({ action: "diff", ref: "HEAD~1..HEAD" })).toContain("+TWO");
  });

  test("says what git says when there is nothing to read", async () => {
    const { git } = aRepository();
    expect(await git({ action: "show", ref: "nothing" })).toMatchObject({ problem: { code: "tool_refused" } });
    expect(await git({ action: "blame" })).toMatchObject({ problem: { code: "tool_refused" } });
    expect(await git({ action: "status", folder: "missing" })).toMatchObject({ ok: false });
    expect(await git({ action: "status", folder: "../" })).toMatchObject({ ok: false });
  });

  const ACTIONS = [
    { action: "status" },
    { action: "diff" },
    { action: "diff", staged: true },
    { action: "log" },
    { action: "show" },
    { action: "blame", path: "a.txt" },
    { action: "branch" },
  ];

  test.each([
    ["fsmonitor", ["core.fsmonitor"]],
    ["an external diff", ["diff.external"]],
    ["a pager", ["core.pager"]],
    ["a pager of one command", ["pager.log"]],
    ["a diff driver", ["diff.evil.command"]],
    ["a text converter", ["diff.evil.textconv"]],
    ["a clean filter", ["filter.evil.clean"]],
    ["a required clean filter", ["filter.evil.clean", "filter.evil.required"]],
    ["a filter process", ["filter.evil.process"]],
    ["a driver whose name has dots and capitals", ["diff.Ev.il.command", "filter.Ev.il.clean"]],
    ["a signature program", ["gpg.program", "gpg.ssh.program"]],
    ["an editor and an ssh command", ["core.editor", "core.sshCommand"]],
    ["an alternate refs command", ["core.alternateRefsCommand"]],
  ])("runs no program that the repository names as %s", async (_what, keys) => {
    const { root, run, write, git, ran } = aRepository();
    write("run.sh", `#!/bin/sh\ntouch ${ran}\ncat\n`);
    spawnSync("chmod", ["+x", "run.sh"], { cwd: root });
    write(".gitattributes", "*.txt diff=evil filter=evil\n*.txt diff=Ev.il filter=Ev.il\n");
    run("add", ".");
    run("commit", "-q", "-m", "attributes");
    run("config", "log.showSignature", "true");
    for (const key of keys) run("config", key, key.endsWith("required") ? "true" : join(root, "run.sh"));
    write("a.txt", "changed\n");
    for (const args of ACTIONS) expect(await git(args), args.action).toEqual(expect.any(String));
    expect(existsSync(ran)).toBe(false);
  });

  test.each([
    ["nothing", "", "*.txt filter= diff="],
    ["an equals sign", "a=b", "*.txt filter=a=b diff=a=b"],
    ["spaces and quotes", "a' b", "*.txt filter=a' diff=a'"],
  ])("runs no program of a driver whose name has %s", async (_what, name, attributes) => {
    const { root, write, git, ran } = aRepository();
    write(".gitattributes", `${attributes}\n`);
    const config = readFileSync(join(root, ".git/config"), "utf8");
    const driver = `clean = touch ${ran} && cat\n\ttextconv = touch ${ran} && cat\n\tcommand = touch ${ran}\n`;
    write(".git/config", `${config}[filter "${name}"]\n\t${driver}[diff "${name}"]\n\t${driver}`);
    write("a.txt", "changed\n");
    for (const args of ACTIONS) await git(args);
    expect(existsSync(ran)).toBe(false);
  });

  test("reads no repository with more drivers than a command line holds", async () => {
    const { root, git } = aRepository();
    const drivers = Array.from({ length: 8_000 }, (_, n) => `[filter "driver-${n}"]\n\tclean = cat\n`).join("");
    writeFileSync(join(root, ".git/config"), readFileSync(join(root, ".git/config"), "utf8") + drivers);
    expect(await git({ action: "status" })).toMatchObject({ problem: { code: "tool_refused" } });
  });

  test("the attack works without the tool, so its absence proves something", () => {
    const { run, write, ran } = aRepository();
    write(".gitattributes", "*.txt filter=evil\n");
    run("config", "filter.evil.clean", `touch ${ran}; cat`);
    write("a.txt", "changed\n");
    run("diff", "--no-ext-diff", "--no-textconv");
    expect(existsSync(ran)).toBe(true);
  });

  test("runs no hook, and reads no repository that only looks like one", async () => {
    const { root, write, git, ran } = aRepository();
    for (const hook of ["post-index-change", "fsmonitor-watchman", "reference-transaction"]) {
      write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${ran}\n`);
      spawnSync("chmod", ["+x", join(root, ".git/hooks", hook)]);
    }
    for (const args of ACTIONS) await git(args);
    expect(existsSync(ran)).toBe(false);
    const bare = join(root, "bare");
    spawnSync("git", ["clone", "-q", "--bare", root, bare]);
    expect(await git({ action: "log", folder: "bare" })).toMatchObject({ ok: false });
  });

  test.each([
    ["core.worktree", "/etc"],
    ["include.path", "/etc/passwd"],
    ["includeIf.gitdir:/.path", "/etc/passwd"],
    ["extensions.worktreeConfig", "true"],
    ["remote.origin.promisor", "true"],
  ])("refuses a repository with %s", async (key, value) => {
    const { run, git } = aRepository();
    run("config", key, value);
    expect(await git({ action: "status" })).toMatchObject({ ok: false });
  });

  test("follows a file or link named .git only to a repository that knows the folder as its worktree", async () => {
    const other = aRepository();
    other.write("secret.txt", "x");
    other.run("add", ".");
    other.run("commit", "-q", "-m", "a private subject");
    const { root, write, git } = aRepository();
    const private_git = join(other.root, ".git");
    write("file/.git", `gitdir: ${private_git}\n`);
    mkdirSync(join(root, "link"));
    symlinkSync(private_git, join(root, "link/.git"));
    for (const [name, text] of [
      ["HEAD", "ref: refs/heads/main\n"],
      ["commondir", `${private_git}\n`],
      ["gitdir", `${join(root, "common/.git")}\n`],
    ])
      write(`common/.git/${name}`, text ?? "");
    for (const folder of ["file", "link", "common", "common/.git"]) {
      const answer = await git({ action: "log", folder });
      expect(answer, folder).toMatchObject({ ok: false });
      expect(JSON.stringify(answer)).not.toContain("a private subject");
    }
    other.run("worktree", "add", "-q", join(root, "worktree"));
    expect(await git({ action: "log", folder: "worktree" })).toContain("a private subject");
  });

  test("shows no file of the machine that the repository names as a list of commits", async () => {
    const { run, git } = aRepository();
    writeFileSync(join(place, "secret"), "not-a-commit-but-a-secret\n");
    run("config", "blame.ignoreRevsFile", join(place, "secret"));
    expect(JSON.stringify(await git({ action: "blame", path: "a.txt" }))).not.toContain("a-secret");
  });

  test.each([
    { action: "push" },
    { action: "log", ref: "--output=/tmp/x" },
    { action: "log", ref: "-p" },
    { action: "log", ref: "a b" },
    { action: "log", ref: "a;id" },
    { action: "log", ref: "$(id)" },
    { action: "show", ref: "HEAD:/etc/passwd\n" },
    { action: "diff", path: "--no-index" },
    { action: "diff", path: "/etc/passwd" },
    { action: "diff", path: "a\u0000b" },
    { action: "log", limit: 0 },
    { action: "log", limit: 1e9 },
  ])("refuses the arguments %j", (args) => {
    expect(aRepository().find("git").input.safeParse(args).success).toBe(false);
  });

  test.each(["'; touch ran; '", "$(touch ran)", "`touch ran`", "../../etc/passwd", ":(top)a.txt", "*"])(
    "the path %j is only a name",
    async (path) => {
      const { git, root } = aRepository();
      await git({ action: "diff", path });
      await git({ action: "log", path });
      expect(existsSync(join(root, "ran"))).toBe(false);
    },
  );
});
