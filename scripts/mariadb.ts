// Installs MariaDB for the tests of data sources.
import { existsSync } from "node:fs";
import { installPackage, mayInstall } from "./debian-package.ts";

const SERVERS = ["/usr/sbin/mariadbd", "/usr/bin/mariadbd", "/usr/local/bin/mariadbd", "/opt/homebrew/bin/mariadbd"];

export const findMariadb = (): string | null => SERVERS.find((path) => existsSync(path)) ?? null;

export function provideMariadb(): void {
  if (process.platform !== "linux" || findMariadb()) return;
  if (!mayInstall()) {
    console.log("MariaDB is not installed: run apt-get install mariadb-server to enable the tests of data sources.");
    return;
  }
  console.log("Installing MariaDB for the tests of data sources …");
  const installed = installPackage("mariadb-server") && findMariadb() !== null;
  console.log(installed ? "MariaDB is installed." : "MariaDB could not be installed; its tests are skipped.");
}
