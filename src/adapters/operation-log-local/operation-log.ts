// Stores operation logs as JSON lines in <folder>/<tenant>/<thread>/<operation>.jsonl. Names are ids, so no path can
// escape the folder.
import { createReadStream } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ProgressLog, ProgressPage } from "../../ports/progress-log.ts";
import type { OperationId, ThreadRef } from "../../schema/ids.ts";
import { parseJson } from "../../schema/json/parse-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ProgressLine } from "../../schema/progress-line.ts";

/** A page ends after this many characters, so that a log of any size can be read in pages of moderate size. */
const PAGE_CHARS = 1_048_576;

export function createLocalOperationLog(folder: string): ProgressLog {
  const threadFolder = ({ tenant, thread }: ThreadRef): string => join(folder, tenant, thread);
  const fileOf = (at: ThreadRef, operation: OperationId): string => join(threadFolder(at), `${operation}.jsonl`);
  return {
    append: (at, operation, line) =>
      withStoreErrors(async () => {
        if (line.n === 0) await mkdir(threadFolder(at), { recursive: true });
        await appendFile(fileOf(at, operation), `${JSON.stringify(line)}\n`, { mode: 0o600 });
        return ok(undefined);
      }),
    read: (at, operation, range) => withStoreErrors(() => readPage(fileOf(at, operation), range)),
    remove: (at) =>
      withStoreErrors(async () => {
        await rm(threadFolder(at), { recursive: true, force: true });
        return ok(undefined);
      }),
  };
}

async function readPage(
  file: string,
  { after, limit }: { after: number; limit: number },
): Promise<Result<ProgressPage>> {
  const lines: ProgressLine[] = [];
  let chars = 0;
  const stream = createReadStream(file, "utf8");
  try {
    for await (const text of linesOf(stream)) {
      const line = readLine(text);
      if (!line || line.n <= after) continue;
      if (lines.length >= limit || (chars > 0 && chars + text.length > PAGE_CHARS)) {
        return ok({ lines, after: lines.at(-1)?.n ?? after });
      }
      lines.push(line);
      chars += text.length;
    }
    return ok({ lines, after: null });
  } finally {
    stream.destroy();
  }
}

/** Only line feeds end a line, while `readline` would also split at Unicode separators inside a string. */
async function* linesOf(stream: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const part of stream) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Null for a partial line that a crash left at the end. */
const readLine = (text: string): ProgressLine | null => ProgressLine.safeParse(parseJson(text)).data ?? null;

async function withStoreErrors<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    if (code === "ENOENT") return fail("operation_not_found", "This operation has no log.");
    return fail("store_unavailable", `The operation's log cannot be accessed (${code}).`, { retry_after_s: 2 });
  }
}
