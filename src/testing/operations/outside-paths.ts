// Defines the cases for paths that every operation must refuse, whatever they point to.
import assert from "node:assert/strict";
import { ok } from "../../schema/problem.ts";
import { succeeded } from "../expect.ts";
import { codeOf, encode, type OperationsCase } from "./helpers.ts";

const OUTSIDE: readonly (readonly [string, string])[] = [
  ["a path that escapes the workspace", "../../etc/shadow"],
  ["a path that escapes with dots and doubled slashes", "src/./../..//etc/group"],
  ["an absolute path", "/workspace-evil/x"],
  ["a drive letter", "C:\\Windows\\win.ini"],
  ["backslashes", "..\\..\\secrets.env"],
  ["the process's environment", "/proc/self/environ"],
  ["a device", "/dev/stdin"],
  ["a NUL character", "a\u0000.txt"],
  ["a line break", "a\nb.txt"],
  ["a component of dots after a space", "src/ ../../x"],
  ["a component of dots around an invisible character", "src/.\u200b./x"],
  ["a blank name", "src/ /x"],
  ["another user's home", "~root/.bashrc"],
  ["a name of 5,000 characters", "n".repeat(5_000)],
  ["400 nested folders", "d/".repeat(400)],
  ["the Windows console device", "CON"],
  ["the Windows null device in lower case", "src/nul"],
  ["an alternate stream", "file.txt::$DATA"],
  ["a lone surrogate", "a\ud800.txt"],
];

export const outsidePathCases: readonly OperationsCase[] = OUTSIDE.map(([what, path]) => ({
  name: `${what} is refused by every operation`,
  run: async ({ files, search }) => {
    const refused = "path_outside_workspace";
    assert.equal(codeOf(await files.read(path)), refused);
    assert.equal(codeOf(await files.stat(path)), refused);
    assert.equal(codeOf(await files.list(path)), refused);
    assert.equal(codeOf(await files.remove(path)), refused);
    assert.equal(codeOf(await files.write(path, encode("x"))), refused);
    assert.equal(codeOf(await files.rewrite(path, () => ok(encode("x")))), refused);
    assert.equal(codeOf(await search.find({ glob: "*", under: path })), refused);
    assert.equal(codeOf(await search.grep({ pattern: "x", under: path })), refused);
    assert.deepEqual(succeeded(await files.list(".")).entries, []);
  },
}));
