// Bodies are read once, here, under limits: size and time while it streams, then encoding, depth, duplicate keys, odd numbers.
import type { z } from "zod";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { AppOptions, Ctx } from "../env.ts";

export const BODY_BYTES_MAX = 1_048_576;
export const BODY_DEPTH_MAX = 64;

/** The body as the schema wants it, or a problem that names the field. An absent body is an empty object. */
export async function readBody<S extends z.ZodType>(c: Ctx, schema: S): Promise<Result<z.infer<S>>> {
  const text = await readText(c);
  if (!text.ok) return text;
  if (text.value.trim() === "") return validate(schema, {});
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") return fail("content_type_unsupported", `The content type is ${type ?? "missing"}.`);
  const read = readStrictJson(text.value, BODY_DEPTH_MAX);
  if (!read.ok) {
    const { found, excerpt } = read.issue;
    const field = read.issue.field || "body";
    return fail("body_invalid", `${field}: ${found}, near ${excerpt}`, { field });
  }
  return validate(schema, read.value);
}

function validate<S extends z.ZodType>(schema: S, value: unknown): Result<z.infer<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const unknown = [...issue.path, issue.keys[0] ?? ""].join(".");
    return fail("request_invalid", `${unknown}: there is no such field.`, { field: unknown });
  }
  const field = issue?.path.join(".") || "body";
  return fail("request_invalid", `${field}: ${issue?.message ?? "does not fit"}`, { field });
}

export async function readText(c: Ctx, max = BODY_BYTES_MAX): Promise<Result<string>> {
  const contentLength = Number(c.req.header("content-length") ?? 0);
  if (contentLength > max) return tooLarge(max);
  const encoding = c.req.header("content-encoding");
  if (encoding && encoding !== "identity")
    return fail("content_type_unsupported", `The content encoding ${encoding} is not taken.`);
  const stream = c.req.raw.body;
  if (!stream) return ok("");
  return readStream(c.get("options"), stream, max);
}

type Chunk = { readonly done: boolean; readonly value?: Uint8Array | undefined };
const TIMED_OUT = Symbol("late");
const READ_FAILED = Symbol("broken");

async function readStream(
  { rt, limits }: AppOptions,
  stream: ReadableStream<Uint8Array>,
  max: number,
): Promise<Result<string>> {
  const reader = stream.getReader();
  const finished = new AbortController();
  const timeout = rt.clock.sleep(limits.request_timeout_ms, finished.signal).then(() => TIMED_OUT);
  const read = (): Promise<Chunk | typeof READ_FAILED> => reader.read().catch(() => READ_FAILED);
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; ; ) {
      const result = await Promise.race([read(), timeout]);
      if (result === TIMED_OUT)
        return fail("request_timeout", `The body took longer than ${limits.request_timeout_ms} ms.`);
      if (result === READ_FAILED) return fail("body_invalid", "The body broke off.");
      const { done, value } = result as Chunk;
      if (done || !value) return decode(chunks);
      size += value.byteLength;
      // The announced length is only a claim.
      if (size > max) return tooLarge(max);
      chunks.push(value);
    }
  } finally {
    // Without a reason an error with its stack would be made, for nobody.
    finished.abort(null);
  }
}

const tooLarge = (max: number) => fail("body_too_large", `The body is larger than ${max} bytes.`);

function decode(chunks: readonly Uint8Array[]): Result<string> {
  try {
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.byteLength;
    }
    // A byte order mark stays in the text, where the reader of JSON refuses it.
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return fail("body_invalid", "The body is not UTF-8.");
  }
}
