// Installs Debian packages that some tests need, only in CI as root, where the machine is disposable.
import { spawnSync } from "node:child_process";

export const mayInstall = (): boolean => process.env.CI === "true" && process.getuid?.() === 0;

export function installPackage(name: string): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (...args: string[]): boolean =>
    spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"], timeout: 300_000 }).status === 0;
  return run("-qq", "update") && run("-qq", "install", "-y", "--no-install-recommends", name);
}
