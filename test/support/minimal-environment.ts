// Returns the environment of a test process, which contains only the given variables and PATH.

/** Adds Node's compile cache, because a test run starts the same sources hundreds of times. */
export function minimalEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...env };
}
