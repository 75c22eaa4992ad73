// Loads code that needs an optional peer dependency. A package that is not installed is a problem that names it.
import { fail, ok, type Result } from "../schema/problem.ts";

/** `load` imports the code; `name` is the package that the code needs. Any other failure to load is a bug and is thrown. */
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
  // The two forms are the error messages of Node and of workerd.
  const missing =
    ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") || error.message.startsWith("No such module");
  return missing && error.message.includes(name);
}
