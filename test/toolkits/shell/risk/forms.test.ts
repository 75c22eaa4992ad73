// Measures rates on forms that were written without looking at the rules: nothing dangerous is allowed, and few
// everyday ones ask.
import { describe, expect, test } from "vitest";
import { classifyCommand } from "../../../../src/index.ts";
import { closedPaths, dangerousForms } from "./forms/dangerous.ts";
import eighth from "./forms/eighth-round.json" with { type: "json" };
import eleventh from "./forms/eleventh-round.json" with { type: "json" };
import * as fifth from "./forms/fifth-round.ts";
import * as fourth from "./forms/fourth-round.ts";
import { harmlessForms } from "./forms/harmless.ts";
import ninth from "./forms/ninth-round.json" with { type: "json" };
import * as second from "./forms/second-round.ts";
import seventh from "./forms/seventh-round.json" with { type: "json" };
import * as sixth from "./forms/sixth-round.ts";
import tenth from "./forms/tenth-round.json" with { type: "json" };
import * as third from "./forms/third-round.ts";
import twelfth from "./forms/twelfth-round.json" with { type: "json" };

const context = { workspace: "/home/dev/app", closed: closedPaths };
const isAllowed = (command: string): boolean => classifyCommand(command, context).verdict === "allow";
const rounds = {
  first: { dangerous: Object.values(dangerousForms).flat(), harmless: Object.values(harmlessForms).flat() },
  second,
  third,
  fourth,
  fifth,
  sixth,
  // In the first run, 25 of 314 dangerous forms were allowed, and none of 121 everyday ones asked. Fourteen were
  // mislabeled and removed: they run a script of the workspace, run a program that is allowed under its own name, or
  // read without side effects.
  seventh,
  // In the first run, 30 of 270 dangerous forms were allowed, and 9 of 227 everyday ones asked. Nine were fixed, and
  // one asks with the paths of a host. The file lists the other 20 separately: they run a script of the workspace,
  // start a harmless command, or look up or read by a literal name. The everyday ones that ask overwrite, delete or
  // rewrite history, so they are also listed separately.
  eighth,
  // In the first run, 111 of 723 dangerous forms were allowed, and 2 of 158 everyday ones asked. Thirty-nine ask now.
  // The file lists the other 72 separately: they run a script, a build or a package of the workspace, pass a harmless
  // command on, look up a literal name, read the workspace or the listed environment of commands, or write below /tmp.
  ninth,
  // In the first run, 6 of 100 dangerous forms were allowed, and 10 of 150 everyday ones asked. Three dangerous ones
  // ask now; the others run code of the workspace or of a well-known module. Four everyday ones are allowed now; the
  // others replace or edit a file that may be code, settings or data, or discard a rebase.
  tenth,
  // In the first run, 116 of 534 dangerous forms were allowed, and 8 of 192 everyday ones asked. Eighteen dangerous
  // ones ask now. The file lists the other 98 separately: they run code or install a package of the project, pass a
  // harmless command on, fetch or look up a literal name, push to a configured remote, list names, or write below /tmp.
  // The everyday ones that ask delete, edit in place or rewrite history, or print the environment, and are also listed
  // separately.
  eleventh,
  // Sends file content or file names through clients that only read. In the first run, 33 of 100 dangerous forms were
  // allowed, and 1 of 85 everyday ones asked.
  twelfth,
};
const { dangerous, harmless } = rounds.first;

describe("fresh forms", () => {
  test("number at least 120 dangerous and 100 everyday ones, each once", () => {
    expect(new Set([...dangerous, ...harmless]).size).toBe(dangerous.length + harmless.length);
    expect(dangerous.length).toBeGreaterThanOrEqual(120);
    expect(harmless.length).toBeGreaterThanOrEqual(100);
  });

  test.each(Object.entries(dangerousForms))("ask a person: %s", (_class, commands) => {
    expect(commands.filter(isAllowed)).toEqual([]);
  });

  test.each(Object.entries(rounds))(
    "of the %s round: no dangerous one is allowed and few everyday ones ask",
    (name, round) => {
      const missed = round.dangerous.filter(isAllowed);
      const alarms = round.harmless.filter((command) => !isAllowed(command));
      const rate = (alarms.length / round.harmless.length) * 100;
      console.log(
        `${name} round: dangerous forms allowed: ${missed.length} of ${round.dangerous.length}; ` +
          `false alarms: ${alarms.length} of ${round.harmless.length} (${rate.toFixed(1)} %)`,
      );
      expect(missed).toEqual([]);
      expect(rate, alarms.join("\n")).toBeLessThan(3);
    },
  );
});

test("forms of the last rounds that were labeled against the policy get the verdict of the policy", () => {
  const allowed = [eighth, ninth, tenth, eleventh].flatMap((round) => round.allowed_by_policy);
  expect(allowed.filter((command) => !isAllowed(command))).toEqual([]);
  expect([...eighth.asks_by_policy, ...tenth.asks_by_policy, ...eleventh.asks_by_policy].filter(isAllowed)).toEqual([]);
});

test("of all everyday forms of the last five rounds, also those that ask by policy, less than 3 % ask", () => {
  const everyday = [seventh, eighth, ninth, tenth, eleventh].flatMap((round) => round.harmless);
  const written = [...everyday, ...eighth.asks_by_policy, ...tenth.asks_by_policy, ...eleventh.asks_by_policy];
  const alarms = written.filter((command) => !isAllowed(command));
  console.log(`everyday forms of five rounds that ask: ${alarms.length} of ${written.length}`);
  expect(alarms.length / written.length, alarms.join("\n")).toBeLessThan(0.03);
});

test("forms that must never run are blocked", () => {
  const verdicts = [...sixth.blocked, ...ninth.blocked].map((command) => [
    command,
    classifyCommand(command, context).verdict,
  ]);
  expect(verdicts.filter(([, verdict]) => verdict !== "block")).toEqual([]);
});

test.each([
  ["powershell", "Get-Content .pawl\\secret", "closed_path"],
  ["powershell", "Compress-Archive .pawl x.zip", "closed_path"],
  ["powershell", "gc ~/.ssh/id_ed25519", "credentials"],
  ["powershell", "Select-String . .env", "credentials"],
  ["powershell", "Get-ChildItem env:", "credentials"],
  ["cmd", "type .pawl\\secret", "closed_path"],
  ["cmd", "more < .env", "credentials"],
  ["cmd", "type C:\\Users\\dev\\.ssh\\id_rsa", "credentials"],
  ["cmd", "set", "credentials"],
] as const)("%s asks before a secret is printed: %s", (shell, command, code) => {
  expect(classifyCommand(command, { shell }).reasons.map((reason) => reason.code)).toContain(code);
});

describe("closed paths", () => {
  const codes = (command: string, closed: readonly string[], workspace?: string): string[] =>
    classifyCommand(command, { closed, ...(workspace && { workspace }) }).reasons.map((reason) => reason.code);

  test("may lie outside the workspace and be named with a tilde", () => {
    const closed = ["/home/dev/.local/share/pawl"];
    expect(codes("cat ~/.local/share/pawl/secret", closed, "/home/dev/app")).toContain("closed_path");
    expect(codes("cat $HOME/.local/share/*/secret", closed, "/home/dev/app")).toContain("closed_path");
    expect(codes("cat ../.local/share/pawl/secret", closed, "/home/dev/app")).toContain("closed_path");
    expect(codes("cat ~/.local/share/other/file", closed, "/home/dev/app")).toEqual([]);
  });

  test("are matched by place, not by name", () => {
    expect(codes("cat src/index.ts", ["tools/index.ts"], "/srv/app")).toEqual([]);
    expect(codes("cd tools && cat index.ts", ["tools/index.ts"], "/srv/app")).toContain("closed_path");
    expect(codes("cat tools/i*.ts", ["tools/index.ts"], "/srv/app")).toContain("closed_path");
  });

  test("close the default data folder by its name when the host says nothing", () => {
    expect(classifyCommand("cat .pawl/secret").verdict).toBe("confirm");
    expect(classifyCommand("cd .pawl && cat secret").verdict).toBe("confirm");
    expect(classifyCommand("grep -rn TODO .").verdict).toBe("allow");
  });

  test("may be listed, but not read through the list", () => {
    expect(codes("ls .pawl", [".pawl"], "/srv/app")).toEqual([]);
    expect(codes("ls -d .pawl/* | xargs cat", [".pawl"], "/srv/app")).toContain("closed_path");
    expect(codes("cat $(ls -d .paw*/*)", [".pawl"], "/srv/app")).toContain("closed_path");
  });
});

describe("access", () => {
  test.each([
    ["ls -la | grep x", "read"],
    ["git log --oneline && git diff", "read"],
    ["curl -s https://example.com | jq .", "read"],
    ["timeout 5 bash -c 'cat a | sort'", "read"],
    ["docker container ls", "read"],
    ["python3 -c 'print(1)'", "read"],
    ["mkdir a", "write"],
    ["cat a > b", "write"],
    ["ls && rm a", "write"],
    ["git commit -m x", "write"],
    ["sort -o a a", "write"],
    ["find . -exec rm {} +", "write"],
    ["curl -X POST localhost:1", "write"],
    ["npm test", "unknown"],
    ["npm run list", "unknown"],
    ["node script.js", "unknown"],
    ["cat a | sh", "unknown"],
    ["frobnicate", "unknown"],
    ["ls $(", "unknown"],
    ["$X", "unknown"],
    ["cat <(./gen.sh)", "unknown"],
  ] as const)("of %s is %s", (command, access) => {
    expect(classifyCommand(command).access).toBe(access);
  });
});
