// Talks to a language server over JSON-RPC. The server runs as a command through the process operations and starts on
// first use.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ResponseError } from "vscode-jsonrpc/node";
import { ZodError } from "zod";
import type { Asking, CodeAnswer, CodeFile, CodeQuestion, LanguageServer } from "../../ports/data/language-server.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { Published, Pulled, readHover, readIssues, readPlaces, readRename } from "./read-answer.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";

/** Diagnostics arrive in several messages, and are complete when no message has arrived for this long. */
const QUIET_MS = 1_000;

export type LanguageServerOptions = Pick<SessionOptions, "command" | "initialization_options">;

export function createLanguageServer(options: LanguageServerOptions): LanguageServer {
  let session: Session | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const opened = ({ process, root }: Asking): Session => {
    if (!session?.isOpen()) {
      session = openSession({ ...options, process, root });
      session.ready.catch(() => undefined);
    }
    return session;
  };
  const close = async (): Promise<void> => {
    const current = session;
    session = null;
    await current?.close();
  };
  const ask = async (asking: Asking): Promise<Result<CodeAnswer>> => {
    const { signal } = asking;
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new StoppedError()), { once: true });
    });
    aborted.catch(() => undefined);
    let ready = false;
    try {
      if (signal.aborted) throw new StoppedError();
      const running = opened(asking);
      const lost = running.ended.then((reason) => Promise.reject(new Error(reason)));
      lost.catch(() => undefined);
      await Promise.race([running.ready, lost, aborted]);
      ready = true;
      return ok(await Promise.race([answerTo(running, asking), lost, aborted]));
    } catch (error) {
      // A server that does not answer is restarted for the next question.
      if (!ready || !(error instanceof ResponseError || error instanceof ZodError)) await close();
      return fail("tool_refused", `The language server gave no answer: ${reasonOf(error)}.`);
    }
  };
  return {
    ask(asking) {
      const answer = last.then(() => ask(asking));
      last = answer;
      return answer;
    },
    close,
  };
}

class StoppedError extends Error {
  override message = "it took too long or the call was stopped";
}

const reasonOf = (error: unknown): string => {
  if (error instanceof ZodError) return "its answer has an unknown form";
  return error instanceof Error ? error.message.split("\n")[0]?.slice(0, 300) || "unknown" : "unknown";
};

/** Opens the file for each question, so that the server sees its current content. */
async function answerTo(session: Session, { root, file, question, signal }: Asking): Promise<CodeAnswer> {
  const uri = pathToFileURL(join(root, file.path)).href;
  const diagnostics = question.kind === "diagnostics" ? collectDiagnostics(session, uri, signal) : null;
  await session.notify("textDocument/didOpen", { textDocument: documentOf(uri, file) });
  try {
    return diagnostics ? { kind: "issues", issues: await diagnostics() } : await request(session, uri, root, question);
  } finally {
    if (session.isOpen()) await session.notify("textDocument/didClose", { textDocument: { uri } });
  }
}

const documentOf = (uri: string, { language, text }: CodeFile): object => ({
  uri,
  languageId: language,
  version: 1,
  text,
});

async function request(session: Session, uri: string, root: string, question: CodeQuestion): Promise<CodeAnswer> {
  if (question.kind === "diagnostics") throw new Error("collected from notifications");
  const at = { textDocument: { uri }, position: question.at };
  switch (question.kind) {
    case "definition":
      return { kind: "places", places: readPlaces(await session.request("textDocument/definition", at), root) };
    case "references": {
      const params = { ...at, context: { includeDeclaration: true } };
      return { kind: "places", places: readPlaces(await session.request("textDocument/references", params), root) };
    }
    case "hover":
      return { kind: "text", text: readHover(await session.request("textDocument/hover", at)) };
    case "rename": {
      const params = { ...at, newName: question.new_name };
      return { kind: "edits", files: readRename(await session.request("textDocument/rename", params), root) };
    }
  }
}

/** Subscribes before the file is opened, because some servers push diagnostics instead of waiting for a request. */
function collectDiagnostics(session: Session, uri: string, signal: AbortSignal) {
  let latest: ReturnType<typeof readIssues> | null = null;
  let received = 0;
  const stopListening = session.onDiagnostics((params) => {
    const published = Published.safeParse(params);
    if (!published.success || published.data.uri !== uri) return;
    latest = readIssues(published.data.diagnostics);
    received += 1;
  });
  return async (): Promise<ReturnType<typeof readIssues>> => {
    try {
      if (session.capabilities().diagnosticProvider) {
        const pulled = await session.request("textDocument/diagnostic", { textDocument: { uri } });
        return readIssues(Pulled.parse(pulled).items);
      }
      for (let seen = -1; latest === null || seen !== received; ) {
        seen = received;
        await sleep(QUIET_MS, undefined, { signal });
      }
      return latest;
    } finally {
      stopListening();
    }
  };
}
