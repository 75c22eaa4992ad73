// Installs Chromium for the console's tests.
import { existsSync } from "node:fs";
import { installPackage, mayInstall } from "./debian-package.ts";

const CANDIDATE_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const findChromium = (): string | null =>
  [process.env.CHROMIUM_PATH, ...CANDIDATE_PATHS].find((path) => path !== undefined && existsSync(path)) ?? null;

export function ensureChromium(): void {
  if (findChromium()) return;
  if (!mayInstall()) {
    console.log(
      "Chromium is not installed: run apt-get install chromium, or set CHROMIUM_PATH, to enable the web console tests.",
    );
    return;
  }
  console.log("Installing chromium for the web console tests …");
  const installed = installPackage("chromium") && findChromium() !== null;
  // Without a font for Chinese, screenshots of the Chinese console show empty boxes. No test depends on it.
  if (installed) installPackage("fonts-wqy-microhei");
  console.log(
    installed ? "chromium is installed." : "chromium could not be installed; the tests that need it will fail.",
  );
}
