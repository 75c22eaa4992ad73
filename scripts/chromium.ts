// The browser of the console's tests.
import { existsSync } from "node:fs";
import { installPackage, mayInstall } from "./debian-package.ts";

const CANDIDATE_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const findChromium = (): string | null =>
  [process.env.CHROMIUM_PATH, ...CANDIDATE_PATHS].find((path) => path !== undefined && existsSync(path)) ?? null;

/** Makes sure there is a browser where it may; else says in one line how to get one. */
export function ensureChromium(): void {
  if (findChromium()) return;
  if (!mayInstall()) {
    console.log(
      "No chromium here: apt-get install chromium, or set CHROMIUM_PATH, to run the tests of the web console.",
    );
    return;
  }
  console.log("Installing chromium for the tests of the web console …");
  const installed = installPackage("chromium") && findChromium() !== null;
  console.log(
    installed ? "chromium is installed." : "chromium could not be installed; the tests that need it will say so.",
  );
}
