// Routes that start, pause and resume background runs. Each commits a record of the thread; a job worker does the rest.
import * as z from "zod";
import { isoTime } from "../../ports/clock.ts";
import { BudgetInput } from "../../schema/input.ts";
import type { Background } from "../../schema/thread.ts";
import { setBackground } from "../../threads/background.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { WAKE_ID, wakeUpAt } from "../../turn/commit/wake-up.ts";
import { loadThread } from "../../turn/load.ts";
import { EmptyBody, readBody } from "../edge/body.ts";
import { idempotencyKey } from "../edge/headers.ts";
import { threadAt } from "../edge/params.ts";
import { requireWorker } from "../edge/worker.ts";
import type { Ctx } from "../env.ts";
import { respondOutcome, respondProblem } from "../respond.ts";
import { type Description, type Handler, type Route, route } from "../route.ts";
import { createTurnRequest } from "../turn-request.ts";
import { sendInput } from "./workflows.ts";

const describe = (id: string, summary: string, description: string): Description => ({
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
});

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
    handler("run", { status: "on", reason: null }),
    describe(
      "runThread",
      "Let a job worker advance the thread until the next gate or the end",
      "Also revives a run whose retries were exhausted: its `background.status` is `dead`, and `background.reason` has the reason.",
    ),
  ),
  route(
    ["post", "/v1/threads/:id/pause", "advance"],
    handler("pause", { status: "paused", reason: null }),
    describe(
      "pauseThread",
      "Keep job workers from starting another turn",
      "The turn in progress is finished. Requests can still advance the thread.",
    ),
  ),
  route(["post", "/v1/threads/:id/resume", "advance"], handler("resume", { status: "on", reason: null }), {
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

function handler(name: string, background: Background): Handler {
  return async (c: Ctx): Promise<Response> => {
    const options = c.get("options");
    const { rt } = options;
    const at = threadAt(c);
    if (!at.ok) return respondProblem(c, at.problem);
    const key = idempotencyKey(c);
    if (!key.ok) return respondProblem(c, key.problem);
    const body = await readBody(c, name === "resume" ? ResumeBody : EmptyBody);
    if (!body.ok) return respondProblem(c, body.problem);
    const { supplement, budget } = body.value as z.infer<typeof ResumeBody>;
    if (supplement !== undefined) return sendInput(c, name, { type: "resume", supplement }, budget);
    const starts = background.status === "on";
    const worker = starts ? requireWorker(rt) : null;
    if (worker?.ok === false) return respondProblem(c, worker.problem);
    const idempotency = key.value
      ? { hash: keyHash(rt.hash, key.value), body: bodyHash(rt.hash, { route: name, query: {}, body: {} }) }
      : null;
    const request = createTurnRequest(options, c.get("caller"), at.value, { input: null, key: idempotency });
    const updated = await setBackground(rt, request, background);
    if (!updated.ok) return respondProblem(c, updated.problem);
    // The wake-up is added even if the run is already in progress, because a crash may have lost it.
    const woken = starts ? await rt.store.putDelivery(wakeUpAt(at.value, rt.clock.now())) : null;
    if (woken?.ok === false) return respondProblem(c, woken.problem);
    return respondOutcome(c, updated.value.outcome, updated.value.replayed, 202);
  };
}

async function getRun(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const loaded = await loadThread(rt, at.value);
  if (!loaded.ok) return respondProblem(c, loaded.problem);
  const rows = await rt.store.deliveries(at.value, 1, WAKE_ID);
  if (!rows.ok) return respondProblem(c, rows.problem);
  const wake = rows.value.find(({ id }) => id === WAKE_ID);
  const next_at = wake ? isoTime(wake.due_at) : null;
  return c.json({ background: loaded.value.state.background, attempts: wake?.attempts ?? 0, next_at });
}
