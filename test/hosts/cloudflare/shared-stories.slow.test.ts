// The stories, word for word as they are told elsewhere, played on the Cloudflare host in the real runtime.
// Not played here: those that bring tools or hooks of their own (cancel-while-acting, streaming-call, hooks), need a shell or
// a folder (risky-commands, patch-nine-ways, switch-a-tool), move the clock or the configuration (unanswered-question,
// same-prompt-again, slow-model, daylight-saving), look into the store (two-hundred-turns), or start and kill processes
// (cold-start, crash-after-the-tool, shared-jobs, nightly-approval, endpoint-away): what those are about is asked of
// objects that end, alarms and webhooks in the files beside this one.
import { afterAll, describe } from "vitest";
import { setStoryHost } from "../../support/story.ts";
import { startCloudflareStoryHost } from "./cloudflare-story-host.ts";

const stage = await startCloudflareStoryHost();
setStoryHost(stage.open);
afterAll(() => stage.close());

describe("approvals", () => import("../../stories/approvals.slow.test.ts").then(() => undefined));
describe("bad replies", () => import("../../stories/bad-replies.slow.test.ts").then(() => undefined));
describe("a dropped stream", () => import("../../stories/dropped-stream.slow.test.ts").then(() => undefined));
describe("fork and remove", () => import("../../stories/fork-and-remove.slow.test.ts").then(() => undefined));
describe("a long history", () => import("../../stories/long-history.slow.test.ts").then(() => undefined));
describe("moving a task", () => import("../../stories/move-a-task.slow.test.ts").then(() => undefined));
describe("a newcomer", () => import("../../stories/newcomer.slow.test.ts").then(() => undefined));
describe("a question", () => import("../../stories/question-across-instances.slow.test.ts").then(() => undefined));
describe("a refused write", () => import("../../stories/refused-write.slow.test.ts").then(() => undefined));
describe("a second run", () => import("../../stories/second-run.slow.test.ts").then(() => undefined));
describe("talking meanwhile", () => import("../../stories/talking-meanwhile.slow.test.ts").then(() => undefined));
describe("ten at once", () => import("../../stories/ten-at-once.slow.test.ts").then(() => undefined));
describe("a used-up budget", () => import("../../stories/used-up-budget.slow.test.ts").then(() => undefined));
