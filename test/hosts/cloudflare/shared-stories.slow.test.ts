// Runs the shared stories unchanged on the Cloudflare host in the real runtime. Some stories are not run here: those
// with their own tools or hooks (cancel-during-tool-call, streaming-call, hooks), those that need a shell or a folder
// (risky-commands, patch-inexact-quotes, disable-a-tool), change the clock or the configuration (expired-question,
// prompt-reproduction, model-timeout, daylight-saving), inspect the store (two-hundred-turns), or start and kill
// processes (cold-start, crash-after-tool, shared-jobs, nightly-approval, webhook-endpoint-down). The files beside this
// one test the same behavior with evicted objects, alarms and webhooks.
import { afterAll, describe } from "vitest";
import { setStoryHost } from "../../support/story.ts";
import { startCloudflareStoryHost } from "./cloudflare-story-host.ts";

const stage = await startCloudflareStoryHost();
setStoryHost(stage.open);
afterAll(() => stage.close());

describe("approvals", () => import("../../stories/approvals.slow.test.ts").then(() => undefined));
describe("bad replies", () => import("../../stories/bad-replies.slow.test.ts").then(() => undefined));
describe("sub-agents", () => import("../../stories/delegation.slow.test.ts").then(() => undefined));
describe("a dropped stream", () => import("../../stories/dropped-stream.slow.test.ts").then(() => undefined));
describe("fork and remove", () => import("../../stories/fork-and-remove.slow.test.ts").then(() => undefined));
describe("a long history", () => import("../../stories/long-history.slow.test.ts").then(() => undefined));
describe("moving a task", () => import("../../stories/move-a-task.slow.test.ts").then(() => undefined));
describe("a run with the demo model", () => import("../../stories/demo-model-run.slow.test.ts").then(() => undefined));
describe("a question", () => import("../../stories/question-across-instances.slow.test.ts").then(() => undefined));
describe("a rejected write", () => import("../../stories/rejected-write.slow.test.ts").then(() => undefined));
describe("a second run", () => import("../../stories/second-run.slow.test.ts").then(() => undefined));
describe("a message during a run", () => import("../../stories/message-during-run.slow.test.ts").then(() => undefined));
describe("concurrent requests", () => import("../../stories/concurrent-advance.slow.test.ts").then(() => undefined));
describe("an exhausted budget", () => import("../../stories/exhausted-budget.slow.test.ts").then(() => undefined));
