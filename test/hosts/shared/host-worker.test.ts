// What the worker of a host does beside the runs.
import { expect, test, vi } from "vitest";
import { startHostWorker } from "../../../src/hosts/shared/host-worker.ts";
import type { ModelRequest } from "../../../src/ports/model.ts";
import { Config } from "../../../src/schema/config.ts";
import { warmUpJudge } from "../../../src/turn/judge/warm-up.ts";
import { done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread } from "../../support/runtime.ts";

vi.mock("../../../src/turn/judge/warm-up.ts", () => ({ warmUpJudge: vi.fn() }));

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: console.error };

test("the judge is warmed up once, soon after the first run began", async () => {
  const decide = ({ purpose }: ModelRequest) => (purpose === "deliver" ? "Done." : done);
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
