// Installs Radicale, the CalDAV server for the tests of connected calendars.
import { existsSync } from "node:fs";
import { installPackage, mayInstall } from "./debian-package.ts";

const CANDIDATE_PATHS = ["/usr/bin/radicale", "/usr/local/bin/radicale"];

export const findRadicale = (): string | null =>
  [process.env.RADICALE_PATH, ...CANDIDATE_PATHS].find((path) => path !== undefined && existsSync(path)) ?? null;

export function provideRadicale(): void {
  if (findRadicale()) return;
  if (!mayInstall()) {
    console.log(
      "Radicale is not installed: run apt-get install radicale, or set RADICALE_PATH, to enable the CalDAV tests.",
    );
    return;
  }
  console.log("Installing radicale for the CalDAV tests …");
  const installed = installPackage("radicale") && findRadicale() !== null;
  console.log(installed ? "radicale is installed." : "radicale could not be installed; the CalDAV tests are skipped.");
}
