// A thread out as one file, and in again. Both are for those who run the place: a file holds everything, and is believed.
import { EXPORT_BYTES_MAX, EXPORT_TYPE } from "../../schema/export.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { exportThread } from "../../threads/export-thread.ts";
import { importThread } from "../../threads/import-thread.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { readText } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { hydrateThread } from "../hydrate-gate.ts";
import { respondProblem } from "../respond.ts";
import { threadAt } from "./threads.ts";

export async function getExport(c: Ctx): Promise<Response> {
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const file = await exportThread(c.get("options").rt, at.value);
  if (!file.ok) return respondProblem(c, file.problem);
  return c.body(file.value, 200, {
    "content-type": EXPORT_TYPE,
    "content-disposition": `attachment; filename="${at.value.thread}.jsonl"`,
  });
}

export async function postImport(c: Ctx): Promise<Response> {
  const text = await readFile(c);
  if (!text.ok) return respondProblem(c, text.problem);
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const { tenant } = caller;
  const imported = await importThread(rt, tenant, text.value, (state) =>
    requireApprovalRight(caller, { kind: "import", state }),
  );
  if (!imported.ok) return respondProblem(c, imported.problem);
  const { thread, next } = imported.value;
  c.header("etag", `"${thread.version}"`);
  c.header("location", `/v1/threads/${thread.id}`);
  return c.json({ thread: await hydrateThread(rt, tenant, thread), turn: null, next }, 201);
}

async function readFile(c: Ctx): Promise<Result<string>> {
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  // A page of another origin cannot send this type without being asked first.
  if (type !== EXPORT_TYPE)
    return fail("content_type_unsupported", `The content type is ${type ?? "missing"}, not ${EXPORT_TYPE}.`);
  const text = await readText(c, EXPORT_BYTES_MAX);
  return text.ok ? ok(text.value) : text;
}
