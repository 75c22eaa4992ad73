// Tests that a server that stops reports the waiting turns of a batch before an extension shuts down its SDK.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { killApps, startApp } from "../../support/app-process.ts";
import { unwrap } from "../../support/runtime.ts";

afterAll(killApps);

/** An extension that keeps spans until it is shut down, as an SDK does, and refuses them afterwards. */
const EXTENSION = `
import { trace } from "${import.meta.resolve("@opentelemetry/api")}";
import { TracerProvider } from "${import.meta.resolve("@opentelemetry/sdk-trace")}";
const names = [];
let open = true;
const processor = {
  onStart() {},
  onEnd: ({ name }) => void (open && names.push(name)),
  forceFlush: async () => undefined,
  async shutdown() {
    open = false;
    console.log("exported: " + names.join(", "));
  },
};
const provider = new TracerProvider({ spanProcessors: [processor] });
trace.setGlobalTracerProvider(provider);
process.on("SIGTERM", () => void provider.shutdown());
export const tools = [];
`;

test("a server that stops directly after a turn has reported it when the SDK is shut down", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-telemetry-"));
  try {
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ extend: ["./own.mjs"] }));
    writeFileSync(join(folder, "own.mjs"), EXTENSION);
    const app = await startApp(folder);
    const { thread } = unwrap(await app.client.create({ goal: "Say hello", mode: "direct" }));
    unwrap(await app.client.advance(thread.id));
    expect(await app.stop()).toBe("0");
    expect(app.output()).toMatch(/exported: chat demo, .*invoke_agent default/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
