// Builds the environment of a command from an allow-list, so that secrets in the server's environment never reach a
// command.
const PASSED_VARIABLES = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
  "SystemRoot",
];

type Variables = Readonly<Record<string, string | undefined>>;

/** Output goes to a pipe, so TERM is always "dumb". */
export function commandEnvironment(variables: Variables, more: readonly string[] = []): Record<string, string> {
  const env: Record<string, string> = { TERM: "dumb" };
  for (const name of [...PASSED_VARIABLES, ...more]) {
    const value = variables[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
