// Runs the real host with the demo model and a freshly built console, and a browser, for scripts that show or measure
// the console.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { buildConsole } from "./build-console.ts";
import { findChromium } from "./chromium.ts";

const root = join(import.meta.dirname, "..");

/** Starts the host and the browser, runs the work and stops both. The data of the host is deleted. */
export async function withDemoHost(work: (browser: Browser, url: string) => Promise<void>): Promise<void> {
  const path = findChromium();
  if (path === null) {
    console.error("Chromium is not installed: run apt-get install chromium, or set CHROMIUM_PATH.");
    process.exit(1);
  }
  await buildConsole(join(root, "dist/console"));
  const data = mkdtempSync(join(tmpdir(), "pawl-demo-host-"));
  const env = { ...process.env, PORT: "0", PAWL_DATA: data, PAWL_MODEL: "", PAWL_API_KEYS: "" };
  const host = spawn(process.execPath, [join(root, "src/hosts/node/node.ts")], { cwd: data, env });
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await work(browser, await addressIn(host.stdout));
  } finally {
    await browser.close();
    host.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  }
}

async function addressIn(output: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += String(chunk);
    const url = /Pawl listens on (\S+)/.exec(text)?.[1];
    if (url) return url;
  }
  throw new Error(`The host did not start: ${text}`);
}
