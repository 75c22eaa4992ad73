// Routes of background runs. Each change is only a record of the thread; a job worker advances the run.
import * as z from "zod";
import { isoTime } from "../../ports/clock.ts";
import { BudgetInput } from "../../schema/input.ts";
import type { Background } from "../../schema/thread.ts";
import { setBackground } from "../../threads/change-state.ts";
import { WAKE_ID, wakeUpAt } from "../../turn/commit/wake-up.ts";
import { loadThread } from "../../turn/load.ts";
import { EmptyBody } from "../edge/body.ts";
import { requestKey } from "../edge/headers.ts";
import { requireWorker } from "../edge/worker.ts";
import type { Ctx } from "../env.ts";
import { respondJson, respondOutcome } from "../respond.ts";
import { type Answer, type Description, type ReadBody, type ReadThread, type Route, route } from "../route.ts";
import { createTurnRequest } from "../turn-request.ts";
import { sendInput } from "./workflows.ts";

const describe = (id: string, summary: string, description: string) =>
  ({
    id,
    summary,
    description,
    headers: ["Idempotency-Key"],
    body: EmptyBody,
    responses: {
      202: {
        description: "The current state of the thread.",
        schema: "TurnResponse",
        headers: ["ETag", "Idempotency-Replayed"],
      },
    },
    problems: [
      "thread_not_found",
      "nothing_to_do",
      "thread_moved",
      "idempotency_mismatch",
      "record_too_large",
      "state_corrupt",
      "newer_version",
      ...(id === "pauseThread" ? [] : (["no_worker"] as const)),
    ],
  }) satisfies Description;

const ResumeBody = z
  .strictObject({ supplement: z.string().optional(), budget: BudgetInput.optional() })
  .refine(({ supplement, budget }) => !budget || supplement !== undefined, {
    path: ["budget"],
    message: "needs a supplement",
  });
const RESUME_PROBLEMS = [
  "thread_not_found",
  "nothing_to_do",
  "not_resumable",
  "thread_moved",
  "idempotency_mismatch",
  "input_too_large",
  "record_too_large",
  "state_corrupt",
  "newer_version",
  "no_worker",
] as const;

export const backgroundRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/run", "read"], getRun, {
    id: "getRun",
    summary: "Show the background run of a thread: its status, failed attempts and the next one",
    responses: { 200: { description: "The background run.", schema: "BackgroundRunBody" } },
    problems: ["thread_not_found", "state_corrupt", "newer_version"],
  }),
  route(
    ["post", "/v1/threads/:id/run", "advance"],
    start("run", { status: "on", reason: null }),
    describe(
      "runThread",
      "Let a job worker advance the thread until the next gate or the end",
      "Also revives a run whose retries were exhausted: its `background.status` is `dead`, and `background.reason` has the reason.",
    ),
  ),
  route(
    ["post", "/v1/threads/:id/pause", "advance"],
    start("pause", { status: "paused", reason: null }),
    describe(
      "pauseThread",
      "Keep job workers from starting another turn",
      "The turn in progress is finished. Requests can still advance the thread.",
    ),
  ),
  route(["post", "/v1/threads/:id/resume", "advance"], postResume, {
    ...describe(
      "resumeThread",
      "Let job workers continue, or continue a workflow",
      "Queued messages are processed. With `supplement`, a workflow that is suspended or has ended continues: the role gets the text with its reason for suspending. `budget` raises the limits of a workflow that has used up its budget.",
    ),
    body: ResumeBody,
    responses: {
      200: { description: "With `supplement`: the role is ready to work.", schema: "TurnResponse", headers: ["ETag"] },
      202: {
        description: "The current state of the thread.",
        schema: "TurnResponse",
        headers: ["ETag", "Idempotency-Replayed"],
      },
    },
    problems: [...RESUME_PROBLEMS],
  }),
];

function start(name: string, background: Background) {
  return async (c: Ctx, { at }: ReadThread): Promise<Answer> => {
    const options = c.get("options");
    const { rt } = options;
    const starts = background.status === "on";
    const worker = starts ? requireWorker(rt) : null;
    if (worker?.ok === false) return worker;
    const key = requestKey(c, () => ({ route: name, query: {}, body: {} }));
    const request = createTurnRequest(options, c.get("caller"), at, { input: null, key });
    const updated = await setBackground(rt, request, background);
    if (!updated.ok) return updated;
    // The wake-up is added even if the run is already on: an earlier request may have crashed before it added one.
    const woken = starts ? await rt.store.putDelivery(wakeUpAt(at, rt.clock.now())) : null;
    if (woken?.ok === false) return woken;
    return respondOutcome(c, updated.value.outcome, updated.value.replayed, 202);
  };
}

const resume = start("resume", { status: "on", reason: null });

function postResume(c: Ctx, { at, body }: ReadThread & ReadBody<typeof ResumeBody>): Promise<Answer> {
  const { supplement, budget } = body;
  return supplement === undefined
    ? resume(c, { at })
    : sendInput(c, at, "resume", { type: "resume", supplement }, budget);
}

async function getRun(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const { rt } = c.get("options");
  const loaded = await loadThread(rt, at);
  if (!loaded.ok) return loaded;
  const rows = await rt.store.deliveries(at, 1, WAKE_ID);
  if (!rows.ok) return rows;
  const wake = rows.value.find(({ id }) => id === WAKE_ID);
  const next_at = wake ? isoTime(wake.due_at) : null;
  return respondJson(c, { background: loaded.value.state.background, attempts: wake?.attempts ?? 0, next_at });
}
