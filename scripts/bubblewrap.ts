// The sandbox of commands, for the tests that run commands in it.
import { findBubblewrap } from "../src/adapters/operations-local/sandbox/probe.ts";
import { installPackage, mayInstall } from "./debian-package.ts";

/** Installs it where it may; else says in one line how to get it. Whether it works is tried by the tests. */
export function provideBubblewrap(): void {
  if (process.platform !== "linux" || findBubblewrap()) return;
  if (!mayInstall()) {
    console.log("No bubblewrap here: apt-get install bubblewrap to run the tests of the sandbox.");
    return;
  }
  console.log("Installing bubblewrap for the tests of the sandbox …");
  const installed = installPackage("bubblewrap") && findBubblewrap() !== null;
  console.log(
    installed
      ? "bubblewrap is installed."
      : "bubblewrap could not be installed; the tests of the sandbox are left out.",
  );
}
