// Defines the keeper, a process that starts a command once the server has looked up the command's descriptor in /proc.
// On Linux it is a subreaper: it adopts the orphans of the command, so a detached process still descends from it. The
// keeper of a long-running program has no descriptor and ends everything that the program leaves behind.
import { existsSync } from "node:fs";

/** The descriptor that all processes of a command inherit. Only the keeper reads from it and writes to it. */
export const LIFELINE_FD = 3;
const PERL = "/usr/bin/perl";
/** The number of the prctl system call by architecture. */
const PRCTL: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 157, arm64: 167 };
const PR_SET_CHILD_SUBREAPER = 36;

/** The keeper ends after its last child has ended and the server has read the exit status. */
const adopting = (prctl: number): string => `
BEGIN { $^F = ${LIFELINE_FD}; delete $ENV{PERL_BADLANG} }
$SIG{$_} = sub {} for qw(HUP INT QUIT TERM USR1 USR2 PIPE ALRM);
open my $line, "+<&=", ${LIFELINE_FD} or exit 125;
my $held = sysread $line, my $begin, 1;
exit 125 unless $held;
syswrite $line, "adopts\\n" if syscall(${prctl}, ${PR_SET_CHILD_SUBREAPER}, 1) == 0;
my $shell = fork // exit 125;
if (!$shell) { setpgrp; exec { $ARGV[0] } @ARGV or exit 127 }
for (;;) {
  my $pid = wait;
  syswrite $line, "ended $?\\n" if $pid == $shell;
  last if $pid == -1 && $! != 4;
}
sysread $line, $begin, 1;
`;
const WAITING = `read -r begin <&${LIFELINE_FD} && exec "$@"`;

export type Keeper = {
  readonly line: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** True if the keeper stays the parent of the command; false if it becomes the command. */
  readonly adopts: boolean;
};

/** A contained command runs in a process namespace, which ends with it, so its keeper need not adopt orphans. */
export function keeperOf(line: readonly string[], contained: boolean): Keeper {
  const prctl = contained ? undefined : adoptingCall();
  if (prctl === undefined) return { line: ["/bin/sh", "-c", WAITING, "sh", ...line], env: {}, adopts: false };
  // The variable suppresses Perl's warnings about missing locales in the output of the command.
  return { line: [PERL, "-e", adopting(prctl), "--", ...line], env: { PERL_BADLANG: "0" }, adopts: true };
}

/** The keeper ends with the program. On a signal it first gives the program half a second to exit. */
const endingAll = (prctl: number): string => `
syscall ${prctl}, ${PR_SET_CHILD_SUBREAPER}, 1;
sub is_child {
  open my $stat, "<", "/proc/$_[0]/stat" or return;
  (<$stat> // "") =~ /.*\\) \\S (\\d+) / && $1 == $$;
}
sub end_all {
  for (1 .. 200) {
    1 while waitpid(-1, 1) > 0;
    opendir my $all, "/proc" or last;
    my @left = grep { /^\\d+$/ && is_child($_) } readdir $all or last;
    kill KILL => @left;
    select undef, undef, undef, 0.01;
  }
  exit 0;
}
my $program = fork // exit 125;
if (!$program) { exec { $ARGV[0] } @ARGV or exit 127 }
$SIG{$_} = sub {
  kill TERM => $program;
  for (1 .. 50) { last if waitpid($program, 1) != 0; select undef, undef, undef, 0.01 }
  end_all;
} for qw(HUP INT TERM);
for (;;) { my $pid = wait; last if $pid == $program || $pid == -1 && $! != 4 }
end_all;
`;

/** Returns the words unchanged if the system does not support keepers. */
export function withKeeper(words: readonly string[]): readonly string[] {
  const prctl = adoptingCall();
  return prctl === undefined ? words : [PERL, "-e", endingAll(prctl), "--", ...words];
}

const adoptingCall = (): number | undefined =>
  process.platform === "linux" && existsSync(PERL) ? PRCTL[process.arch] : undefined;
