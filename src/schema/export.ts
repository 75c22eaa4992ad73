// Defines the format of a thread as one file, and its verification: JSON lines, chained by hash so that any change is detected. Reading and writing
// stores is implemented elsewhere. The command line verifies files with the same code.
import * as z from "zod";
import { CommitId, ThreadId } from "./ids.ts";
import { canonicalJson } from "./json/canonical-json.ts";
import { type Failed, fail, ok, type Result } from "./problem.ts";

export const EXPORT_FORMAT = "pawl-thread";
export const EXPORT_VERSION = 1;
export const EXPORT_TYPE = "application/x-ndjson";
/** The largest file that an import accepts. Only a thread with thousands of ordinary turns reaches it. */
export const EXPORT_BYTES_MAX = 67_108_864;

export type Sha256 = (text: string) => string;

const Text = z.string().refine((text) => text.isWellFormed(), "half a character");
const Hash = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");
const Count = z.int().min(0);

export const ExportHeader = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  thread: ThreadId,
  exported_at: z.iso.datetime(),
  records: Count,
  blobs: Count,
  /** The number of lines with toolkit data. Absent if there are none. */
  toolkits: Count.min(1).optional(),
});
export type ExportHeader = z.infer<typeof ExportHeader>;

/** Entry and state are the exact text that is stored. `hash` is the link of the chain. */
export const ExportRecord = z.strictObject({
  version: Count,
  commit_id: CommitId,
  turn: Count,
  entry: Text,
  state: Text,
  hash: Hash,
});
export type ExportRecord = z.infer<typeof ExportRecord>;

export const ExportBlob = z.strictObject({ hash: Hash, text: Text });
export type ExportBlob = z.infer<typeof ExportBlob>;

export const ExportToolkit = z.strictObject({ toolkit: z.string().min(1), data: z.json() });

export const ExportFooter = z.strictObject({ records: Count, blobs: Count, head: Hash });
export type ExportFooter = z.infer<typeof ExportFooter>;

export type ThreadExport = {
  readonly header: ExportHeader;
  readonly records: readonly ExportRecord[];
  readonly blobs: readonly ExportBlob[];
  readonly toolkits: Readonly<Record<string, unknown>>;
  /** Identifies the whole file, because it is the last link of the chain. */
  readonly head: string;
};

type Row = Omit<ExportRecord, "hash">;
type ExportContents = {
  readonly thread: ThreadId;
  readonly exported_at: string;
  readonly rows: readonly { readonly [K in keyof Row]: K extends "commit_id" ? string : Row[K] }[];
  readonly blobs: readonly ExportBlob[];
  readonly toolkits?: Readonly<Record<string, unknown>>;
};

const chainHash = (sha256: Sha256, previous: string, line: object): string => sha256(previous + canonicalJson(line));

export function writeExport(contents: ExportContents, sha256: Sha256): string {
  const { thread, exported_at, rows, blobs, toolkits = {} } = contents;
  const counts = { records: rows.length, blobs: blobs.length };
  const toolkitLines = Object.entries(toolkits).map(([toolkit, data]) => ({ toolkit, data }));
  const more = toolkitLines.length === 0 ? {} : { toolkits: toolkitLines.length };
  const header = { format: EXPORT_FORMAT, version: EXPORT_VERSION, thread, exported_at, ...counts, ...more };
  const lines: object[] = [header];
  let head = chainHash(sha256, "", header);
  for (const { version, commit_id, turn, entry, state } of rows) {
    const row = { version, commit_id, turn, entry, state };
    head = chainHash(sha256, head, row);
    lines.push({ ...row, hash: head });
  }
  for (const { hash, text } of blobs) {
    head = chainHash(sha256, head, { hash, text });
    lines.push({ hash, text });
  }
  for (const line of toolkitLines) {
    head = chainHash(sha256, head, line);
    lines.push(line);
  }
  lines.push({ ...counts, head });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** A problem names the first changed line. */
export function verifyExport(text: string, sha256: Sha256): Result<ThreadExport> {
  const lines = text.replace(/\r?\n$/, "").split("\n");
  const header = readLine(lines, 0, ExportHeader);
  if (!header.ok) return header;
  const last = lines.length - 1;
  const { records, blobs, toolkits = 0 } = header.value;
  if (last !== records + blobs + toolkits + 1)
    return invalidLine(
      last,
      `${records} records and ${blobs} blobs are declared, but the file has ${last - 1} lines for them`,
    );
  const verifiedRecords = readRecords(lines, header.value, sha256);
  if (!verifiedRecords.ok) return verifiedRecords;
  const verifiedBlobs = readBlobs(lines, header.value, verifiedRecords.value.head, sha256);
  if (!verifiedBlobs.ok) return verifiedBlobs;
  const verifiedToolkits = readToolkits(lines, header.value, verifiedBlobs.value.head, sha256);
  if (!verifiedToolkits.ok) return verifiedToolkits;
  const footer = readLine(lines, last, ExportFooter);
  if (!footer.ok) return footer;
  const { head } = verifiedToolkits.value;
  if (footer.value.records !== records || footer.value.blobs !== blobs || footer.value.head !== head)
    return invalidLine(last, "the end does not match the lines before it");
  return ok({
    header: header.value,
    records: verifiedRecords.value.records,
    blobs: verifiedBlobs.value.blobs,
    toolkits: verifiedToolkits.value.toolkits,
    head,
  });
}

function readRecords(lines: readonly string[], header: ExportHeader, sha256: Sha256) {
  const records: ExportRecord[] = [];
  let head = chainHash(sha256, "", header);
  for (let version = 0; version < header.records; version++) {
    const read = readLine(lines, version + 1, ExportRecord);
    if (!read.ok) return read;
    const { hash, ...row } = read.value;
    if (row.version !== version)
      return invalidLine(version + 1, `version ${row.version} was found where ${version} is expected`);
    head = chainHash(sha256, head, row);
    if (hash !== head) return invalidLine(version + 1, "the hash does not match the record and those before it");
    records.push(read.value);
  }
  return records.length === 0 ? invalidLine(0, "the file contains no records") : ok({ records, head });
}

function readBlobs(lines: readonly string[], header: ExportHeader, from: string, sha256: Sha256) {
  const blobs: ExportBlob[] = [];
  let head = from;
  for (let i = header.records + 1; i <= header.records + header.blobs; i++) {
    const read = readLine(lines, i, ExportBlob);
    if (!read.ok) return read;
    if (sha256(read.value.text) !== read.value.hash)
      return invalidLine(i, "the text of the blob does not match its hash");
    head = chainHash(sha256, head, read.value);
    blobs.push(read.value);
  }
  return ok({ blobs, head });
}

function readToolkits(lines: readonly string[], header: ExportHeader, from: string, sha256: Sha256) {
  const toolkits: Record<string, unknown> = {};
  let head = from;
  const first = header.records + header.blobs + 1;
  for (let i = first; i < first + (header.toolkits ?? 0); i++) {
    const read = readLine(lines, i, ExportToolkit);
    if (!read.ok) return read;
    head = chainHash(sha256, head, read.value);
    toolkits[read.value.toolkit] = read.value.data;
  }
  return ok({ toolkits, head });
}

function readLine<S extends z.ZodType>(lines: readonly string[], i: number, schema: S): Result<z.infer<S>> {
  let raw: unknown;
  try {
    raw = JSON.parse(lines[i] ?? "");
  } catch {
    return invalidLine(i, "not JSON");
  }
  const read = schema.safeParse(raw);
  if (read.success) return ok(read.data);
  const issue = read.error.issues[0];
  return invalidLine(i, `${issue?.path.join(".") || "line"}: ${issue?.message ?? "is invalid"}`);
}

const invalidLine = (i: number, reason: string): Failed =>
  fail("export_invalid", `Line ${i + 1}: ${reason}.`, { line: i + 1 });
