// Tests observations of the workspace after a call that changed something. Only those that the call can have changed
// are marked.
import { describe, expect, test } from "vitest";
import { buildWindow, renderWindow, windowParts } from "../../src/prompt/window.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";
import { changedPaths } from "../../src/toolkits/shell/simple-command.ts";
import { aCallEntry, aThread, idOf } from "../support/thread.ts";

const tools = toolkitManifests().filter(({ toolkit }) => toolkit === "files" || toolkit === "shell");
const READ = { turn: 1, name: "read_file", arguments: { path: "src/app.ts" } };
const LISTED = { turn: 2, name: "list_dir", arguments: { path: "src" } };
const TESTED = { turn: 3, name: "bash", arguments: { command: "node --test" } };

/** Returns the marks of the three observations after this call. */
function marksAfter(name: string, args: Record<string, unknown>, changes?: readonly string[] | null) {
  const last = aCallEntry({ turn: 4, name, effect: "unkeyed", arguments: args });
  const call = { ...last.call, ...(changes && { changes: [...changes] }) } as typeof last.call;
  const entries = [READ, LISTED, TESTED].map((facts) => aCallEntry(facts));
  const text = renderWindow(windowParts(buildWindow(aThread({ entries: [...entries, { ...last, call }] }), tools)));
  const by = idOf("rcp", 4);
  return [1, 2, 3].map((turn) => {
    const [, mark = "no"] = new RegExp(`receipt="${idOf("rcp", turn)}"[^>]* stale="([^"]*) ${by}"`).exec(text) ?? [];
    return mark;
  });
}

const afterCommand = (command: string, folder?: string) =>
  marksAfter("bash", { command, ...(folder && { folder }) }, changedPaths(command, folder));

describe("observations of the workspace", () => {
  test.each([
    ["mkdir build", undefined, ["no", "no", "may be changed by"]],
    ["echo hi > notes.txt", undefined, ["no", "no", "may be changed by"]],
    ["rm src/app.ts", undefined, ["changed by", "may be changed by", "may be changed by"]],
    ["rm app.ts", "./src/", ["changed by", "may be changed by", "may be changed by"]],
    ["mv src lib", undefined, ["changed by", "changed by", "may be changed by"]],
    ["npm install", undefined, ["may be changed by", "may be changed by", "may be changed by"]],
    ["git stash", undefined, ["may be changed by", "may be changed by", "may be changed by"]],
  ])("after %s in folder %s are marked: %j", (command, folder, marks) => {
    expect(afterCommand(command, folder)).toEqual(marks);
  });

  test("after a change of a file are marked if they show it, or may show it", () => {
    expect(marksAfter("write_file", { path: "src/app.ts" })).toEqual([
      "changed by",
      "may be changed by",
      "may be changed by",
    ]);
    expect(marksAfter("write_file", { path: "readme.md" })).toEqual(["no", "no", "may be changed by"]);
  });
});

test("a test run that failed is marked after a change, but a call that showed nothing is not", () => {
  const failed = aCallEntry({ ...TESTED, success: false });
  const observed = { ...failed, receipts: failed.receipts.map((receipt) => ({ ...receipt, observed: true as const })) };
  const changed = aCallEntry({ turn: 4, name: "write_file", effect: "unkeyed", arguments: { path: "src/app.ts" } });
  const marked = (tested: typeof failed): boolean =>
    / stale="may be changed by/.test(
      renderWindow(windowParts(buildWindow(aThread({ entries: [tested, changed] }), tools))),
    );
  expect(marked(observed as typeof failed)).toBe(true);
  expect(marked(failed)).toBe(false);
});

test("the paths of a command are those it names; other commands may change anything", () => {
  expect(changedPaths("cp a.txt b/ && make", undefined)).toBeNull();
  expect(changedPaths("cat a.txt | tee -a b.txt > /dev/null", "docs")).toEqual(["docs/b.txt"]);
  expect(changedPaths("rm *.ts", undefined)).toBeNull();
  expect(changedPaths("ls -la", undefined)).toEqual([]);
});

test.each([
  ["shows the changed event", {}, "- [e12@2026-03-02] Call", "changed by"],
  ["is a list without the changed event", {}, "- [e1@2026-03-02] Call", "may be changed by"],
  ["is about another event", { id: "e1@2026-03-02" }, "[e1@2026-03-02] Call", "no"],
  ["is about another event and shows the changed one", { id: "e1@2026-03-02" }, "after [e12@2026-03-02]", "changed by"],
])("an observation that %s is marked after a move", (_, args, text, expected) => {
  const calendar = toolkitManifests().filter(({ toolkit }) => toolkit === "calendar");
  const seen = aCallEntry({ turn: 1, name: "list_events", arguments: args, text });
  const move = {
    turn: 2,
    name: "move_event",
    effect: "keyed",
    arguments: { id: "e12@2026-03-02", start: "2026-03-03" },
  };
  const entries = [seen, aCallEntry({ ...move, effect: "keyed" })];
  const shown = renderWindow(windowParts(buildWindow(aThread({ entries }), calendar)));
  const [, mark = "no"] = / stale="(\D*) rcp_/.exec(shown) ?? [];
  expect(mark).toBe(expected);
});

test("the line of an older observation also says what changed it", () => {
  const changed = aCallEntry({ turn: 2, name: "write_file", effect: "unkeyed", arguments: { path: "src/app.ts" } });
  const later = [3, 4, 5, 6, 7, 8, 9].map((turn) =>
    aCallEntry({ turn, name: "read_file", arguments: { path: `${turn}.ts` } }),
  );
  const window = buildWindow(aThread({ entries: [aCallEntry(READ), changed, ...later] }), tools);
  expect(renderWindow(windowParts(window))).toMatch(
    new RegExp(`^- turn 1: .*read_file.*changed by ${idOf("rcp", 2)}`, "m"),
  );
});
