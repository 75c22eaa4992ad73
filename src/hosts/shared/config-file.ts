// Finds and reads the configuration file, whose content is validated elsewhere.
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const CONFIG_FILES = ["pawl.config.ts", "pawl.config.mjs", "pawl.config.json"] as const;

export type ConfigFile = { readonly path: string; readonly value: unknown };

/** Reads the file that PAWL_CONFIG names, or else the first of CONFIG_FILES in the folder. */
export async function readConfigFile(cwd: string, configPath: string | null): Promise<Result<ConfigFile | null>> {
  const path = configPath === null ? findConfigFile(cwd) : resolve(cwd, configPath);
  if (path === null) return ok(null);
  if (!existsSync(path)) return fail("config_invalid", `PAWL_CONFIG: there is no file ${configPath}`);
  try {
    const value: unknown = path.endsWith(".json") ? JSON.parse(readFileSync(path, "utf8")) : await importDefault(path);
    if (value === undefined) return fail("config_invalid", `${basename(path)}: has no default export`);
    return ok({ path, value });
  } catch (error) {
    return fail("config_invalid", `${basename(path)}: cannot be read: ${withoutExcerpt(error)}`);
  }
}

/** A JSON error message quotes an excerpt, which may contain a key. */
const withoutExcerpt = (error: unknown): string =>
  error instanceof SyntaxError ? withRemedy(error.message.replace(/, (\.\.\.)?".*$/s, "")) : importErrorMessage(error);

/** The reason why a module cannot be imported. A package that `npm init` created takes its modules for CommonJS. */
export const importErrorMessage = (error: unknown): string =>
  withRemedy(error instanceof Error ? error.message : String(error));

const withRemedy = (message: string): string =>
  /outside a module|Unexpected token 'export'/.test(message)
    ? `${message}. Set "type": "module" in package.json: npm pkg set type=module`
    : message;

function findConfigFile(cwd: string): string | null {
  // Folders are ignored: if the server is killed while a command runs, the sandbox leaves an empty folder of this name.
  const name = CONFIG_FILES.find((file) => statSync(join(cwd, file), { throwIfNoEntry: false })?.isFile());
  return name === undefined ? null : join(cwd, name);
}

async function importDefault(path: string): Promise<unknown> {
  const module: { default?: unknown; config?: unknown } = await import(pathToFileURL(path).href);
  return module.default ?? module.config;
}
