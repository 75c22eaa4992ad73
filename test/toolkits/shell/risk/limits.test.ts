// Tests what the judge of commands cannot know. SECURITY.md says so, and these tests keep that statement true.
import { describe, expect, test } from "vitest";
import { classifyCommand } from "../../../../src/index.ts";

const verdict = (command: string): string => classifyCommand(command, { workspace: "/workspace" }).verdict;

describe("the judge of commands", () => {
  test("does not read the script that a command starts", () => {
    for (const command of ["./run.sh", "bash build.sh", "node app.js", "python3 script.py"])
      expect([command, verdict(command)]).toEqual([command, "allow"]);
  });

  test("allows the usual runners of a project", () => {
    for (const command of ["npm test", "npm run build", "node --test", "tsc --noEmit", "make"])
      expect([command, verdict(command)]).toEqual([command, "allow"]);
  });

  test("asks about a program that it does not know", () => {
    expect(classifyCommand("frobnicate --all").reasons.map(({ code }) => code)).toEqual(["unknown_command"]);
  });
});
