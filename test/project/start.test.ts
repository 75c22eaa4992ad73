import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { entryOf } from "../../scripts/start.ts";

let root = "";
const HOUR_S = 3_600;
const NOW_S = Math.round(Date.now() / 1000);

function put(name: string, age_s: number): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  for (const one of [path, dirname(path)]) utimesSync(one, NOW_S - age_s, NOW_S - age_s);
}
const entry = (): string => relative(root, entryOf(root)).replaceAll("\\", "/");

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pawl-start-"));
  put("src/hosts/node/node.ts", 2 * HOUR_S);
  put("package.json", 2 * HOUR_S);
  utimesSync(join(root, "src/hosts"), NOW_S - 2 * HOUR_S, NOW_S - 2 * HOUR_S);
  utimesSync(join(root, "src"), NOW_S - 2 * HOUR_S, NOW_S - 2 * HOUR_S);
});
afterEach(() => rmSync(root, { recursive: true }));

test("npm start uses the sources if nothing is built", () => {
  expect(entry()).toBe("src/hosts/node/node.ts");
});

test("npm start uses dist if it is newer than all sources", () => {
  put("dist/serve.js", HOUR_S);
  expect(entry()).toBe("dist/serve.js");
});

test.each(["src/turn/new.ts", "package.json", "machines/thread.machine.ts"])(
  "npm start uses the sources after a change of %s",
  (changed) => {
    put("dist/serve.js", HOUR_S);
    put(changed, 0);
    expect(entry()).toBe("src/hosts/node/node.ts");
  },
);

test("npm start uses the sources after a file was removed", () => {
  put("src/turn/old.ts", 2 * HOUR_S);
  utimesSync(join(root, "src"), NOW_S - 2 * HOUR_S, NOW_S - 2 * HOUR_S);
  put("dist/serve.js", HOUR_S);
  expect(entry()).toBe("dist/serve.js");
  rmSync(join(root, "src/turn/old.ts"));
  expect(entry()).toBe("src/hosts/node/node.ts");
});
