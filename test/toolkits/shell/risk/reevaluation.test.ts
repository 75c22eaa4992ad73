import { describe, expect, test } from "vitest";
import { classifyCommand } from "../../../../src/index.ts";

// Each of these was run in bash and created the file.
const RUNS_ITS_TEXT = [
  "declare -a 'x=($(touch made))'",
  "typeset -a 'x=($(touch made))'",
  "readonly -a 'x=($(touch made))'",
  "declare 'x[$(touch made)]=1'",
  "command declare -a 'x=($(touch made))'",
  "[[ 'x[$(touch made)]' -eq 0 ]]",
  "[ -v 'x[$(touch made)]' ]",
  "read 'x[$(touch made)]' <<< 1",
  "printf -v 'x[$(touch made)]' y",
  "a='x[$(touch made)]'; echo $((a))",
  "a='x[`touch made`]'; echo $((a))",
  "a=x\\[\\$\\(touch\\ made\\)\\]; echo $((a))",
  "a=$'x[\\x24(touch made)]'; echo $((a))",
  "a='x[$(touch made)]'; ((a++))",
  "a='x[$(touch made)]'; [[ $a -gt 0 ]]",
  `a='x[$(touch made)]'; echo \${!a}`,
  "a='x[$(touch made)]'; y[a]=1",
  "a='x['; a+='$(touch made)]'; echo $((a))",
  "a='x['; b='$(touch made)]'; c=$a$b; echo $((c))",
  "declare -i a; a='x[$(touch made)]'",
  "declare -n r='x[$(touch made)]'; echo $r",
  "for a in 'x[$(touch made)]'; do echo $((a)); done",
  "for ((i='x[$(touch made)]'; i < 1; i++)); do :; done",
  "read a <<< 'x[$(touch made)]'; echo $((a))",
  "set -- 'x[$(touch made)]'; echo $(($1))",
  "f() { echo $(($1)); }; f 'x[$(touch made)]'",
  // The content of a file may contain such text.
  "n=$(cat n.txt); echo $((n))",
  "n=$(jq -r .n f.json); ((n > 3)) && echo yes",
  "echo $(( $(cat n.txt) + 1 ))",
  "while read -r n; do echo $((n + 1)); done < numbers.txt",
  "awk '{print $(NF-1)}' f | while read -r n; do echo $((n + 1)); done",
  "declare -i total=$(cat total.txt)",
  "let 'x = 1' \"y=$(<n.txt)\"",
  "read -r v < f; [[ $v -eq 1 ]]",
  `mapfile -t a < f; i=$(head -1 f); echo \${a[i]}`,
  "env a='x[$(touch made)]' bash -c 'echo $((a))'",
];

const ONLY_COUNTS = [
  'printf "[$(date)] hi\\n"',
  'export STAMP="[$(date)]"',
  'readonly HERE="[$(pwd)]"',
  'echo "[$(date)] starting"; echo $((1 + n))',
  "n=$(wc -l < notes.txt); echo $((n + 1))",
  "start=$(date +%s); sleep 1; echo $(( $(date +%s) - start ))",
  "size=$(du -sk . | cut -f1); echo $((size / 1024))",
  "n=$(grep -c x f); if ((n > 0)); then echo found; fi",
  `mapfile -t a < f; echo \${#a[@]}`,
  "while read -r line; do ((count++)); done < f; echo $count",
  `x=(1 2); echo "\${x[0]} \${#x[@]}"`,
  "declare -a x=($(ls))",
  "for i in 1 2 3; do ((s+=i)); done; echo $s",
  "if [[ $(wc -l < f) -gt 3 ]]; then echo many; fi",
  "grep -c '[$(]' f; [ -f x ] && echo yes",
  `echo "\${name:0:3}"`,
];

describe("text that bash reads a second time", () => {
  test.each(RUNS_ITS_TEXT)("is asked about: %s", (command) => {
    const { verdict, reasons } = classifyCommand(command);
    expect(verdict).toBe("confirm");
    expect(reasons.map(({ code }) => code)).toContain("code");
  });

  test.each(ONLY_COUNTS)("is not confused with counting and with what a substitution prints: %s", (command) => {
    expect(classifyCommand(command)).toMatchObject({ verdict: "allow", reasons: [] });
  });
});
