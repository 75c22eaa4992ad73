// Exports and imports a thread as one file. Both need `admin`: the file reveals everything, and an import trusts it.
import * as z from "zod";
import { EXPORT_BYTES_MAX, EXPORT_TYPE } from "../../schema/export.ts";
import { fail } from "../../schema/problem.ts";
import { exportNodes } from "../../threads/export-nodes.ts";
import { exportThread } from "../../threads/export-thread.ts";
import { importThread } from "../../threads/import-thread.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import type { Ctx } from "../env.ts";
import { hydrateThread } from "../hydrate-gate.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadThread, type Route, route } from "../route.ts";

export const exportRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/export", "admin"], getExport, {
    id: "exportThread",
    summary: "Export a thread as one tamper-evident file",
    description:
      "JSON lines: a header, the records as stored, the blobs they refer to, a footer; chained by hash. Documents that toolkits keep beside the thread are not included.",
    query: {
      format: {
        schema: z.enum(["records", "nodes"]).optional(),
        description: "`nodes`: only the workflow of the thread, as content-addressed nodes.",
      },
    },
    responses: { 200: { description: "The file.", schema: z.string(), type: EXPORT_TYPE } },
    problems: ["request_invalid", "thread_not_found", "turn_running", "state_corrupt", "workflow_not_found"],
  }),
  route(
    ["post", "/v1/import", "admin"],
    postImport,
    {
      id: "importThread",
      summary: "Import a thread from an exported file, under the id it had",
      description:
        "Up to 64 MB. A file in which the thread has `auto_approve`, trusted client tools, an approved plan or a gate that shows another call than its own needs the scope `confirm` as well. An interrupted import is completed by sending the file again; another file for the same thread gets `turn_running` meanwhile. A background run continues here: delete the thread on the server it came from.",
      body: z.string(),
      body_type: EXPORT_TYPE,
      responses: { 201: { description: "The thread.", schema: "TurnResponse", headers: ["ETag", "Location"] } },
      problems: ["export_invalid", "thread_moved", "turn_running", "newer_version", "record_too_large"],
    },
    { body_bytes_max: EXPORT_BYTES_MAX },
  ),
];

async function getExport(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const format = c.req.query("format") ?? "records";
  if (format !== "records" && format !== "nodes")
    return fail("request_invalid", "format: must be records or nodes.", { field: "format" });
  const { rt } = c.get("options");
  const file = format === "nodes" ? await exportNodes(rt, at) : await exportThread(rt, at);
  if (!file.ok) return file;
  return c.body(file.value, 200, {
    "content-type": EXPORT_TYPE,
    "content-disposition": `attachment; filename="${at.thread}.jsonl"`,
  });
}

async function postImport(c: Ctx, { body }: { readonly body: string }): Promise<Answer> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const { tenant } = caller;
  const imported = await importThread(rt, tenant, body, (state) =>
    requireApprovalRight(caller, { kind: "import", state }),
  );
  if (!imported.ok) return imported;
  const { thread, next } = imported.value;
  const headers = { etag: `"${thread.version}"`, location: `/v1/threads/${thread.id}` };
  return respondJson(c, { thread: await hydrateThread(rt, tenant, thread), turn: null, next }, 201, headers);
}
