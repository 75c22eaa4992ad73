import { expect, test } from "vitest";
import { loadOptional } from "../../src/http/optional-package.ts";

const missing = "a-package-that-is-not-installed";

test("code whose package is installed is loaded", async () => {
  expect(await loadOptional("zod", () => import("zod"))).toMatchObject({ ok: true });
});

test("a package that is not installed is a problem that names it", async () => {
  const loaded = await loadOptional(missing, () => Promise.reject(notFound(missing)));
  expect(loaded).toMatchObject({ ok: false, problem: { code: "package_missing", details: { package: missing } } });
  expect(!loaded.ok && loaded.problem.message).toContain(`npm install ${missing}`);
});

test("another package that is missing, and a bug in the code, are thrown", async () => {
  await expect(loadOptional("zod", () => Promise.reject(notFound(missing)))).rejects.toThrow(missing);
  await expect(loadOptional("zod", () => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
});

/** Returns the error with which Node reports a missing module. */
const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /x.js`), { code: "ERR_MODULE_NOT_FOUND" });
