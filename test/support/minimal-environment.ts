// The environment of a process that a test starts: what the test names, where programs are found, and nothing of ours.

/** Where Node keeps compiled code goes along: the same sources are started hundreds of times in one run of the tests. */
export function minimalEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...env };
}
