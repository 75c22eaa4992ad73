// Installs bubblewrap, the sandbox for commands, for the tests that need it.
import { findBubblewrap } from "../src/adapters/operations-local/sandbox/probe.ts";
import { installPackage, mayInstall } from "./debian-package.ts";

/** Installs it if allowed; otherwise prints how to get it. The tests check whether it works. */
export function provideBubblewrap(): void {
  if (process.platform !== "linux" || findBubblewrap()) return;
  if (!mayInstall()) {
    console.log("bubblewrap is not installed: run apt-get install bubblewrap to enable the sandbox tests.");
    return;
  }
  console.log("Installing bubblewrap for the sandbox tests …");
  const installed = installPackage("bubblewrap") && findBubblewrap() !== null;
  console.log(
    installed ? "bubblewrap is installed." : "bubblewrap could not be installed; the sandbox tests are skipped.",
  );
}
