import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyCommand } from "../../../../src/toolkits/shell/risk/classify.ts";
import { harmless, risky } from "./corpus.ts";

const SHELLS = ["bash", "powershell", "cmd"] as const;
const allHarmless = Object.values(harmless).flat();
const allRisky = Object.values(risky).flat();

const PIECES = [
  ..."{}()[]$`\"'\\|&;<>!#*?~=%^@,:+- \n\t\r",
  ..."$( <( >( (( )) [[ ]] ${ $' $\" << <<- <<< <<E >> >& &> 2>&1 ;; && || |&".split(" "),
  ..."if then else fi for in do done while case esac function coproc time rm ls git push --force sudo sh -c eval xargs find -exec sed -i awk psql sqlite3 python node -e curl env docker kubectl cmd /c Remove-Item E $x /dev/sda".split(
    " ",
  ),
  "\u0000",
  "\u200b",
  "\ud800",
  "é",
  "😀",
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 });

function expectSound(command: string, shell: (typeof SHELLS)[number]): void {
  const risk = classifyCommand(command, { shell });
  expect(["allow", "confirm", "block"]).toContain(risk.verdict);
  expect(risk.verdict === "allow").toBe(risk.reasons.length === 0);
}

describe("any text", () => {
  test("gets an answer and never an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom(...SHELLS), (text, shell) =>
        expectSound(text, shell),
      ),
      { numRuns: 400 },
    );
  });

  test("made of shell pieces gets an answer, glued or spaced", () => {
    fc.assert(
      fc.property(soup, fc.constantFrom("", " "), fc.constantFrom(...SHELLS), (pieces, gap, shell) =>
        expectSound(pieces.join(gap), shell),
      ),
      { numRuns: 1000 },
    );
  });

  test("has the same verdict every time", () => {
    fc.assert(
      fc.property(soup, (pieces) => {
        const text = pieces.join(" ");
        expect(classifyCommand(text)).toEqual(classifyCommand(text));
      }),
      { numRuns: 200 },
    );
  });
});

describe("a risky command", () => {
  const safe = allHarmless.filter((command) => !/[\n#]|<<|&$/.test(command));
  const bad = allRisky.filter((command) => !/[\n#]|<<|unterminated|^if then|^ls \)/.test(command));

  test("is found behind any harmless one", () => {
    fc.assert(
      fc.property(fc.constantFrom(...safe), fc.constantFrom(";", "&&", "||", "|", "\n", "&"), (before, glue) => {
        expect(classifyCommand(`${before} ${glue} rm -r data`).verdict).not.toBe("allow");
      }),
      { numRuns: 400 },
    );
  });

  test("is found in every place the shell would run it from", () => {
    const places = [
      (c: string) => `(${c})`,
      (c: string) => `{ ${c}; }`,
      (c: string) => `! ${c}`,
      (c: string) => `echo "$(${c})"`,
      (c: string) => `echo <(${c})`,
      (c: string) => `x=$(${c})`,
      (c: string) => `if ${c}; then ls; fi`,
      (c: string) => `if true; then ls; else ${c}; fi`,
      (c: string) => `for i in 1; do ${c}; done`,
      (c: string) => `while ${c}; do ls; done`,
      (c: string) => `case a in a) ${c};; esac`,
      (c: string) => `f() { ${c}; }`,
      (c: string) => `ls | ${c}`,
      (c: string) => `coproc { ${c}; }`,
      (c: string) => `cat <<E\n$(${c})\nE`,
      (c: string) => `[[ -n $(${c}) ]]`,
      (c: string) => `echo $(( 1 + $(${c}) ))`,
      (c: string) => `echo \${x:-$(${c})}`,
      (c: string) => `a=( $(${c}) )`,
      (c: string) => `cat < <(${c})`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...bad), fc.constantFrom(...places), (command, place) => {
        expect(classifyCommand(place(command)).verdict).not.toBe("allow");
      }),
      { numRuns: 600 },
    );
  });

  test("is found through every wrapper, while a harmless one passes through it", () => {
    const wrappers =
      "env|env -i A=1|nice -n 5|ionice -c 3|stdbuf -oL|timeout 5|timeout -s KILL 5s|time|command|builtin|exec|busybox|xargs|xargs -0 -n 1|find . -exec|fd -x|chronic|unbuffer|strace -f|flock lock|npx|npm exec --|yarn dlx|pnpm exec|uv run|poetry run|bundle exec|dotenv --|mise exec --|git bisect run|git submodule foreach|docker exec web|kubectl exec pod --|ssh host|watch|cross-env A=1|taskset 1|parallel".split(
        "|",
      );
    for (const wrapper of wrappers) {
      const end = wrapper.startsWith("find") ? " {} ;".replace(";", "\\;") : "";
      expect(classifyCommand(`${wrapper} rm x${end}`).verdict, wrapper).not.toBe("allow");
      const harmless = /^(?:npx|npm exec --|yarn dlx)$/.test(wrapper) ? "eslint src" : "ls";
      expect(classifyCommand(`${wrapper} ${harmless}${end}`).verdict, wrapper).toBe("allow");
    }
  });

  test("is found in text that a shell is given", () => {
    for (const shell of ["sh", "bash", "dash", "zsh"]) {
      for (const line of [
        `${shell} -c 'rm x'`,
        `echo rm x | ${shell}`,
        `${shell} <<< 'rm x'`,
        `${shell} <<'E'\nrm x\nE`,
        `cat f | ${shell}`,
        `${shell} < f`,
      ]) {
        expect(classifyCommand(line).verdict, line).not.toBe("allow");
      }
      expect(classifyCommand(`${shell} -c 'ls -l'`).verdict).toBe("allow");
    }
  });
});

describe("size", () => {
  const hostile = ["{", "$(", "`", '"$(', "$[", "if true; then $(", "ls;", "env ", "<<A\n", "@'\n", "psql -c '"];

  test.each(hostile)("100 KB of %j is not parsed and not allowed", (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    for (const shell of SHELLS) expect(classifyCommand(text, { shell }).reasons[0]?.code).toBe("too_long");
  });

  test.each(hostile)("as much of %j as is read gets an answer", (piece) => {
    const text = piece.repeat(Math.floor(30_000 / piece.length));
    for (const shell of SHELLS) expectSound(text, shell);
  });

  test("a long harmless line is read to its end", () => {
    const long = Array.from({ length: 2_000 }, (_, i) => `echo ${i}`).join("; ");
    expect(classifyCommand(long).verdict).toBe("allow");
    expect(classifyCommand(`${long}; rm x`).verdict).toBe("confirm");
  });

  test("shells inside shells are followed only so deep", () => {
    let command = "rm x";
    for (let i = 0; i < 12; i++) command = `sh -c ${JSON.stringify(command)}`;
    expect(classifyCommand(command).verdict).not.toBe("allow");
  });
});
