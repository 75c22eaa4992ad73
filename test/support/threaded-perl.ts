// Programs of several threads in Perl, which can call the system directly: they hide from /proc what they have open.
import { spawnSync } from "node:child_process";

type Calls = { readonly exit: number; readonly unshare: number };
const CALLS: Readonly<Partial<Record<NodeJS.Architecture, Calls>>> = {
  x64: { exit: 60, unshare: 272 },
  arm64: { exit: 93, unshare: 97 },
};
const calls = process.platform === "linux" ? CALLS[process.arch] : undefined;
/** Whether Perl is installed, with threads. */
export const hasThreadedPerl = calls !== undefined && spawnSync("perl", ["-Mthreads", "-e", "1"]).status === 0;

/** A shell command: `code` runs in a thread, and the first thread ends before it. */
export const afterFirstThread = (code: string): string =>
  `perl -Mthreads -MIO::Socket -e 'threads->create(sub { select undef, undef, undef, 0.3; ${code} }); syscall ${calls?.exit}, 0'`;

/** A shell command: `code` runs in a thread with descriptors of its own. */
export const withOwnDescriptors = (code: string): string =>
  `perl -Mthreads -MIO::Socket -e 'threads->create(sub { syscall(${calls?.unshare}, 0x400) == 0 or die; ${code} })->join'`;
