// Builds Perl programs with several threads that make system calls directly and hide their open files from /proc.
import { spawnSync } from "node:child_process";

type Calls = { readonly exit: number; readonly unshare: number };
const CALLS: Readonly<Partial<Record<NodeJS.Architecture, Calls>>> = {
  x64: { exit: 60, unshare: 272 },
  arm64: { exit: 93, unshare: 97 },
};
const calls = process.platform === "linux" ? CALLS[process.arch] : undefined;
/** True if Perl is installed with threads. */
export const hasThreadedPerl = calls !== undefined && spawnSync("perl", ["-Mthreads", "-e", "1"]).status === 0;

/** Returns a shell command in which `code` runs in a thread, and the first thread ends before it. */
export const afterFirstThread = (code: string): string =>
  `perl -Mthreads -MIO::Socket -e 'threads->create(sub { select undef, undef, undef, 0.3; ${code} }); syscall ${calls?.exit}, 0'`;

/** Returns a shell command in which `code` runs in a thread with its own descriptors. */
export const withOwnDescriptors = (code: string): string =>
  `perl -Mthreads -MIO::Socket -e 'threads->create(sub { syscall(${calls?.unshare}, 0x400) == 0 or die; ${code} })->join'`;
