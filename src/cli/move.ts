// `pawl export`, `import`, `verify`: a thread as a file. What a file means is said by the server and by schema/export.ts.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { TurnResponse } from "../client/client.ts";
import { EXPORT_TYPE, type ThreadExport, verifyExport } from "../schema/export.ts";
import type { Problem, Result } from "../schema/problem.ts";
import { type Connection, connected, type Where } from "./connect.ts";
import { complain, DONE, type ExitCode, oneLine, PROBLEM, paint, say, sayJson, tellProblem, write } from "./screen.ts";

type Json = { readonly json?: boolean };
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const exportTo = (id: string, options: Where & Json & { readonly output?: string }): Promise<ExitCode> =>
  connected(options, async (to) => {
    const sent = await send(to, "GET", `/v1/threads/${encodeURIComponent(id)}/export`);
    const text = sent.ok ? await sent.value.text() : "";
    const file = sent.ok ? verifyExport(text, sha256) : sent;
    if (!file.ok) return told(file.problem);
    if (!options.output) write(text);
    else if (!(await kept(options.output, text))) return PROBLEM;
    // Not among the lines of the file, where somebody may pipe it to.
    if (options.json && options.output) sayJson(facts(file.value));
    else complain(summary(file.value, options.output ?? "standard output"));
    return DONE;
  });

export async function importFrom(path: string, options: Where & Json): Promise<ExitCode> {
  const text = await readText(path);
  if (text === null) return PROBLEM;
  const file = verifyExport(text, sha256);
  // Refused here as it would be there, without sending it.
  if (!file.ok) return told(file.problem);
  return connected(options, async (to) => {
    const sent = await send(to, "POST", "/v1/import", text);
    if (!sent.ok) return told(sent.problem);
    const { thread, next } = (await sent.value.json()) as TurnResponse;
    if (options.json) sayJson({ thread, next });
    else
      say(
        `${thread.id} is here at version ${thread.version}, next: ${next}. To go on: pawl chat --thread ${thread.id}`,
      );
    return DONE;
  });
}

export async function verify(path: string, { json }: Json): Promise<ExitCode> {
  const text = await readText(path);
  if (text === null) return PROBLEM;
  const file = verifyExport(text, sha256);
  if (json) sayJson(file.ok ? { ok: true, ...facts(file.value) } : { ok: false, problem: file.problem });
  else if (file.ok) say(`${paint("green", "whole")}  ${summary(file.value, path)}`);
  else tellProblem(file.problem);
  return file.ok ? DONE : PROBLEM;
}

const facts = ({ header, head }: ThreadExport) => ({ ...header, head });
const summary = ({ header, head }: ThreadExport, path: string): string =>
  `${header.thread}: ${header.records} records, ${header.blobs} blobs, head ${head} (${oneLine(path)})`;

function told(problem: Problem): ExitCode {
  tellProblem(problem);
  return PROBLEM;
}

/** The client speaks JSON; a file is text, and may be large. */
async function send({ url, key }: Connection, method: string, path: string, body?: string): Promise<Result<Response>> {
  const headers = {
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(body === undefined ? {} : { "content-type": EXPORT_TYPE }),
  };
  const request = { method, headers, ...(body === undefined ? {} : { body }) };
  try {
    const response = await fetch(`${url.replace(/\/$/, "")}${path}`, request);
    return response.ok ? { ok: true, value: response } : { ok: false, problem: (await response.json()) as Problem };
  } catch (error) {
    const message = `${url} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
    const hint = "Check the address and whether the server runs, then try again.";
    return { ok: false, problem: { code: "store_unavailable", message, hint, retry: "later", status: 503 } };
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    complain(`${oneLine(path)} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function kept(path: string, text: string): Promise<boolean> {
  try {
    // Never over a file that is there: it may be the only copy of a thread.
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    complain(`${oneLine(path)} was not written: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
