// Imports the modules that `extend` names: the operator's own programs, which run with all permissions of the server.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { messageOfImport } from "./config-file.ts";
import { type Extension, readExtension } from "./extension.ts";

export async function loadExtensions(paths: readonly string[]): Promise<Result<readonly Extension[]>> {
  const extensions: Extension[] = [];
  for (const [n, path] of paths.entries()) {
    const loaded = await loadExtension(path, `extend.${n}`);
    if (!loaded.ok) return loaded;
    extensions.push(loaded.value);
  }
  return ok(extensions);
}

async function loadExtension(path: string, field: string): Promise<Result<Extension>> {
  if (!existsSync(path)) return fail("config_invalid", `${field}: there is no file ${path}`);
  try {
    return readExtension(await import(pathToFileURL(path).href), `${field}: ${basename(path)}`);
  } catch (error) {
    return fail("config_invalid", `${field}: ${basename(path)} cannot be loaded: ${messageOfImport(error)}`);
  }
}
