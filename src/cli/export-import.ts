// Implements `pawl export`, `import` and `verify`. The file format is defined by schema/export.ts.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { TurnResponse } from "../client/client.ts";
import { EXPORT_TYPE, type ThreadExport, verifyExport } from "../schema/export.ts";
import { type ServerOptions, withConnection } from "./connect.ts";
import {
  colorize,
  EXIT_OK,
  EXIT_PROBLEM,
  type ExitCode,
  type JsonOption,
  messageOf,
  printError,
  printJson,
  printLine,
  printProblem,
  reportProblem,
  terminalLine,
  write,
} from "./output.ts";
import { sendText } from "./send-text.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const exportThread = (
  id: string,
  options: ServerOptions & JsonOption & { readonly output?: string },
): Promise<ExitCode> =>
  withConnection(options, async (connection) => {
    const response = await sendText(connection, ["GET", `/v1/threads/${encodeURIComponent(id)}/export`]);
    const text = response.ok ? await response.value.text() : "";
    const file = response.ok ? verifyExport(text, sha256) : response;
    if (!file.ok) return reportProblem(file.problem);
    if (!options.output) write(text);
    else if (!(await writeNewFile(options.output, text))) return EXIT_PROBLEM;
    // JSON is printed only if the export goes to a file, because otherwise standard output carries the export itself.
    if (options.json && options.output) printJson(exportFacts(file.value));
    else printError(summary(file.value, options.output ?? "standard output"));
    return EXIT_OK;
  });

export async function importThread(path: string, options: ServerOptions & JsonOption): Promise<ExitCode> {
  const text = await readText(path);
  if (text === null) return EXIT_PROBLEM;
  const file = verifyExport(text, sha256);
  // An invalid file is refused here instead of being sent.
  if (!file.ok) return reportProblem(file.problem);
  return withConnection(options, async (connection) => {
    const response = await sendText(connection, ["POST", "/v1/import"], { type: EXPORT_TYPE, body: text });
    if (!response.ok) return reportProblem(response.problem);
    const { thread, next } = (await response.value.json()) as TurnResponse;
    if (options.json) printJson({ thread, next });
    else
      printLine(
        `${thread.id} was imported at version ${thread.version}, next: ${next}. To continue: pawl chat --thread ${thread.id}`,
      );
    return EXIT_OK;
  });
}

export async function verifyFile(path: string, { json }: JsonOption): Promise<ExitCode> {
  const text = await readText(path);
  if (text === null) return EXIT_PROBLEM;
  const file = verifyExport(text, sha256);
  if (json) printJson(file.ok ? { ok: true, ...exportFacts(file.value) } : { ok: false, problem: file.problem });
  else if (file.ok) printLine(`${colorize("green", "valid")}  ${summary(file.value, path)}`);
  else printProblem(file.problem);
  return file.ok ? EXIT_OK : EXIT_PROBLEM;
}

const exportFacts = ({ header, head }: ThreadExport) => ({ ...header, head });
const summary = ({ header, head }: ThreadExport, path: string): string =>
  `${header.thread}: ${header.records} records, ${header.blobs} blobs, head ${head} (${terminalLine(path)})`;

async function readText(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    printError(`${terminalLine(path)} cannot be read: ${messageOf(error)}`);
    return null;
  }
}

async function writeNewFile(path: string, text: string): Promise<boolean> {
  try {
    // The flag `wx` prevents overwriting a file that may be the only copy of a thread.
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    printError(`${terminalLine(path)} was not written: ${messageOf(error)}`);
    return false;
  }
}
