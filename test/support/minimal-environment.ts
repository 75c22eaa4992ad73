// The environment of a test process: the given variables, PATH, and nothing else of ours.

/** Keeps Node's compile cache: a test run starts the same sources hundreds of times. */
export function minimalEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...env };
}
