// Creates real git repositories for tests, each in a separate folder, and the git tool for each.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { lazySearch } from "../../../src/hosts/shared/lazy-adapters.ts";
import { code } from "../../../src/toolkits/code/toolkit.ts";
import { unwrap } from "../../support/runtime.ts";
import { plugToolkit } from "../../support/toolkit.ts";

/** Creates repositories for a test file and removes them after its tests. */
export function repositories() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "pawl-git-")));
  afterAll(() => rmSync(place, { recursive: true }));
  let count = 0;
  /** Creates a repository. `workspace` is its folder that is the workspace; the default is the repository itself. */
  function aRepository({ workspace = "." }: { readonly workspace?: string } = {}) {
    count += 1;
    const root = join(place, `work${count}`);
    mkdirSync(root);
    const env = { PATH: process.env.PATH ?? "", HOME: root, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const run = (...args: readonly string[]): void => {
      const done = spawnSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
        cwd: root,
        env,
      });
      if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
    };
    const write = (path: string, text: string): void => {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    run("init", "-q", "-b", "main");
    write("a.txt", "one\ntwo\n");
    run("add", ".");
    run("commit", "-q", "-m", "first");
    mkdirSync(join(root, workspace), { recursive: true });
    const operations = unwrap(
      createLocalOperations({ root: join(root, workspace), search: lazySearch, process: { env: { PATH: env.PATH } } }),
    );
    const { call, find } = plugToolkit(code, { process: () => operations });
    const git = async (args: object): Promise<unknown> => (await call("git", args)).value;
    return { root, run, write, git, find, ran: join(place, `ran${count}`) };
  }
  return { place, aRepository };
}
