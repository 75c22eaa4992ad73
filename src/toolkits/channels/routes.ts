// Defines the routes for desktop workers, which claim the next task, report its start, and report how it ended.
import * as z from "zod";
import { ok } from "../../schema/problem.ts";
import { type ToolkitRoute, toolkitRoute } from "../../tools/route.ts";
import { type DesktopQueue, DesktopTask, LEASE_S_MAX } from "./desktop-queue.ts";

type Handler = ToolkitRoute["handler"];

const App = z.string().regex(/^[a-z0-9_-]{1,64}$/, "must be the name of an app");
const Worker = z.string().regex(/^[\w.-]{1,64}$/, "must be a name of letters, digits, _, - and .");

const ClaimBody = z.strictObject({ app: App, worker: Worker, lease_s: z.int().min(5).max(LEASE_S_MAX).default(60) });
const ReportBody = z.strictObject({
  app: App,
  worker: Worker,
  state: z.enum(["started", "done", "failed"]),
  /** A single word, because the model reads it. */
  reason: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, "must be a word such as window_not_found")
    .optional(),
});

export const desktopRoutes = (queue: DesktopQueue): readonly ToolkitRoute[] => {
  const claimDesktopTask: Handler = async ({ caller, body, now }) => {
    const { app, worker, lease_s } = body as z.infer<typeof ClaimBody>;
    const task = await queue.claim(caller.tenant, { app, worker, lease_ms: lease_s * 1_000, now });
    return task.ok ? ok({ body: { task: task.value } }) : task;
  };

  const reportDesktopTask: Handler = async ({ caller, params, body }) => {
    const { reason = null, ...report } = body as z.infer<typeof ReportBody>;
    const task = await queue.report(caller.tenant, { ...report, reason, id: params.id ?? "" });
    return task.ok ? ok({ body: { task: task.value } }) : task;
  };

  return [
    toolkitRoute(["post", "/v1/desktop/claim", "advance"], claimDesktopTask, {
      id: "claimDesktopTask",
      summary: "Claim the next text that a desktop worker is to send",
      description:
        "The claim ends after `lease_s` seconds; another worker then gets the task, unless its worker has reported `started`.",
      body: ClaimBody,
      example: { app: "weixin", worker: "desk-1" },
      responses: {
        200: { description: "The task; null if there is none.", schema: z.object({ task: DesktopTask.nullable() }) },
      },
      problems: ["document_moved", "state_corrupt"],
    }),
    toolkitRoute(["post", "/v1/desktop/:id/result", "advance"], reportDesktopTask, {
      id: "reportDesktopTask",
      summary: "Report that a desktop task was started, or how it ended",
      description: "Report `started` right before typing: from then on no other worker gets the task.",
      body: ReportBody,
      example: { app: "weixin", worker: "desk-1", state: "done" },
      responses: { 200: { description: "The task.", schema: z.object({ task: DesktopTask }) } },
      problems: ["task_not_found", "task_not_claimed", "document_moved", "state_corrupt"],
    }),
  ];
};
