// Loads code that needs an optional peer dependency. A problem names the package if it is not installed.
import { fail, ok, type Result } from "../schema/problem.ts";

/** `load` imports the package `name`, directly or through other code. Any other failure is a bug and is thrown. */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await load());
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    return fail("package_missing", `The package ${name} is not installed. Run: npm install ${name}`, { package: name });
  }
}

function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  // Node sets an error code; workerd provides only a message.
  const missing =
    ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") || error.message.startsWith("No such module");
  return missing && error.message.includes(name);
}
