// Tests what the worker of a host does in addition to the runs.
import { afterEach, expect, test, vi } from "vitest";
import type { ModelRequest } from "../../../src/ports/model.ts";
import { Config } from "../../../src/schema/config.ts";
import { done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread } from "../../support/runtime.ts";

const WARM_UP = "../../../src/turn/judge/warm-up.ts";
const warmUpJudge = vi.fn();

afterEach(() => {
  vi.doUnmock(WARM_UP);
  vi.resetModules();
});

/** Loads the module again, because other tests of this process may have loaded it with the real module. */
async function loadHostWorker() {
  vi.resetModules();
  vi.doMock(WARM_UP, () => ({ warmUpJudge }));
  return import("../../../src/hosts/shared/host-worker.ts");
}

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: console.error };

test("the judge is warmed up once, soon after the first run began", async () => {
  const decide = ({ purpose }: ModelRequest) => (purpose === "deliver" ? "Done." : done);
  const { startHostWorker } = await loadHostWorker();
  const rt = createTestRuntime(Array<typeof decide>(20).fill(decide));
  const worker = startHostWorker(rt, {
    owner: "worker",
    jobs: Config.parse({}).jobs,
    emit: () => undefined,
    sendWebhook: async () => ({ kind: "not_acquired" }),
    log: SILENT_LOG,
  });
  const nextTicks = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  await nextTicks();
  rt.clock.advance(1_000);
  await nextTicks();
  expect(warmUpJudge).not.toHaveBeenCalled();
  for (let n = 0; n < 3; n++) await createTestThread(rt, { goal: `Job ${n}`, mode: "direct", run: "background" });
  worker.pollNow();
  await nextTicks();
  rt.clock.advance(100);
  await nextTicks();
  expect(warmUpJudge).toHaveBeenCalledOnce();
  await worker.drain();
});
