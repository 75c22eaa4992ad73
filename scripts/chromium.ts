// The browser of the console's tests. Installed only where the machine is thrown away afterwards: in CI, as root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const CANDIDATE_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const findChromium = (): string | null =>
  [process.env.CHROMIUM_PATH, ...CANDIDATE_PATHS].find((path) => path !== undefined && existsSync(path)) ?? null;

/** Makes sure there is a browser where it may; else says in one line how to get one. */
export function ensureChromium(): void {
  if (findChromium()) return;
  if (process.env.CI !== "true" || process.getuid?.() !== 0) {
    console.log(
      "No chromium here: apt-get install chromium, or set CHROMIUM_PATH, to run the tests of the web console.",
    );
    return;
  }
  console.log("Installing chromium for the tests of the web console …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (...args: string[]): boolean =>
    spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"], timeout: 300_000 }).status === 0;
  const installed =
    run("-qq", "update") &&
    run("-qq", "install", "-y", "--no-install-recommends", "chromium") &&
    findChromium() !== null;
  console.log(
    installed ? "chromium is installed." : "chromium could not be installed; the tests that need it will say so.",
  );
}
