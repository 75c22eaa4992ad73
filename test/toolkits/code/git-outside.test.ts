// Tests repositories whose files lead out of the workspace. Nothing outside of it is shown.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositories } from "./repositories.ts";

const { place, aRepository } = repositories();
const SECRET = "a private subject";

/** Creates a repository outside every workspace of these tests, and returns the hash of its last commit. */
function aPrivateRepository() {
  const { root, run, write } = aRepository();
  write("secret.txt", "a private line\n");
  run("add", ".");
  run("commit", "-q", "-m", SECRET);
  return { git: join(root, ".git"), commit: readFileSync(join(root, ".git/refs/heads/main"), "utf8").trim() };
}
const outside = aPrivateRepository();

type Made = ReturnType<typeof aRepository>;
/** Replaces a file or folder of the repository with a link to that of the private repository. */
const link =
  (path: string, target = join(outside.git, path)) =>
  ({ root }: Made): void => {
    mkdirSync(join(root, ".git", path, ".."), { recursive: true });
    rmSync(join(root, ".git", path), { recursive: true, force: true });
    symlinkSync(target, join(root, ".git", path));
  };
const lines = join(place, "lines.txt");
writeFileSync(lines, "a private line\n");

const ATTACKS: Readonly<Record<string, (made: Made) => void>> = {
  "an alternate store of objects": ({ write }) => write(".git/objects/info/alternates", `${outside.git}/objects\n`),
  "an alternate store with a relative path": ({ write, root }) => {
    const up = "../".repeat(root.split("/").length + 1);
    write(".git/objects/info/alternates", `${up}${outside.git.slice(1)}/objects\n`);
  },
  "an alternate store over HTTP": ({ write }) => write(".git/objects/info/http-alternates", "http://127.0.0.1:1/\n"),
  "a link as its objects": link("objects"),
  "a link as one folder of objects": link(`objects/${outside.commit.slice(0, 2)}`),
  "a link as one object": link(`objects/${outside.commit.slice(0, 2)}/${outside.commit.slice(2)}`),
  "a link as its packs": link("objects/pack"),
  "a link as its refs": link("refs"),
  "a link as its HEAD": link("HEAD", lines),
  "a link as its index": link("index"),
  "a link as its settings": link("config", lines),
  "a link as its packed refs": link("packed-refs", lines),
  "a link as its list of shallow commits": link("shallow", lines),
  "a link as its list of ignored files": link("info/exclude", lines),
  "a list of grafts": ({ write }) => write(".git/info/grafts", "a private line\n"),
  "a common folder": ({ write }) => write(".git/commondir", `${outside.git}\n`),
  "a worktree whose common folder is a link": ({ root, write }) => {
    renameSync(join(root, ".git"), join(root, "common"));
    mkdirSync(join(root, "common/worktrees/w"), { recursive: true });
    write(".git", `gitdir: ${root}/common/worktrees/w\n`);
    write("common/worktrees/w/HEAD", "ref: refs/heads/main\n");
    write("common/worktrees/w/commondir", `${outside.git}\n`);
    write("common/worktrees/w/gitdir", `${root}/.git\n`);
  },
  "a worktree whose common folder has another store": ({ root, write }) => {
    renameSync(join(root, ".git"), join(root, "common"));
    write(".git", `gitdir: ${root}/common/worktrees/w\n`);
    write("common/worktrees/w/HEAD", "ref: refs/heads/main\n");
    write("common/worktrees/w/commondir", "../..\n");
    write("common/worktrees/w/gitdir", `${root}/.git\n`);
    write("common/objects/info/alternates", `${outside.git}/objects\n`);
  },
  "a second line in the file .git": ({ root, write }) => {
    renameSync(join(root, ".git"), join(root, "other"));
    write(".git", `gitdir: ${root}/.git\n${outside.git}\n`);
  },
  "settings that another file adds": ({ root, write }) => {
    const config = readFileSync(join(root, ".git/config"), "utf8");
    write(".git/config", `${config}[includeIf "onbranch:main"]\n\tpath = ${lines}\n[include]\n\tpath = ${lines}\n`);
  },
};

describe("git refuses a repository with", () => {
  test.each(Object.entries(ATTACKS))("%s", async (_what, attack) => {
    const made = aRepository();
    attack(made);
    for (const args of [{ action: "show", ref: outside.commit }, { action: "status" }]) {
      const answer = await made.git(args);
      expect(answer).toMatchObject({ ok: false, problem: { code: "tool_refused" } });
      expect(JSON.stringify(answer)).not.toMatch(/a private/);
    }
  });

  test("a workspace that is only a part of it", async () => {
    const { git, run, write } = aRepository({ workspace: "part" });
    write("part/b.txt", "b\n");
    run("add", ".");
    run("commit", "-q", "-m", SECRET);
    for (const folder of [undefined, "."])
      expect(JSON.stringify(await git({ action: "log", folder }))).toMatch(/larger than the workspace/);
  });
});

test("a store of objects elsewhere works without the tool, so its absence proves something", () => {
  const { run, write } = aRepository();
  expect(() => run("cat-file", "-e", outside.commit)).toThrow();
  write(".git/objects/info/alternates", `${outside.git}/objects\n`);
  run("cat-file", "-e", outside.commit);
});

test("git reads what ordinary repositories have: packs and their indexes, a shallow list, links as hooks, worktrees", async () => {
  const { root, git, run, write } = aRepository();
  run("gc", "-q");
  run("multi-pack-index", "write");
  run("commit-graph", "write");
  symlinkSync("../../hook.sh", join(root, ".git/hooks/pre-commit"));
  expect(await git({ action: "log" })).toContain("first");
  run("worktree", "add", "-q", join(root, "tree"));
  expect(await git({ action: "log", folder: "tree" })).toContain("first");
  write("part/c.txt", "c");
  expect(await git({ action: "status", folder: "part" })).toContain("?? ");
  run("clone", "-q", "--depth", "1", `file://${root}`, join(root, "shallow"));
  expect(await git({ action: "log", folder: "shallow" })).toContain("first");
});
