// Helpers of the workspace cases.
import assert from "node:assert/strict";
import type { Operations } from "../../ports/operations.ts";
import type { ProblemCode, Result } from "../../schema/problem.ts";
import { succeeded } from "../expect.ts";

export type OperationsCase = { readonly name: string; readonly run: (operations: Operations) => Promise<void> };

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const decode = (content: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

export function codeOf(result: Result<unknown>): ProblemCode {
  assert.ok(!result.ok, "expected a problem");
  return result.problem.code;
}

export async function writeFiles({ files }: Operations, all: Readonly<Record<string, string | Uint8Array>>) {
  for (const [path, content] of Object.entries(all)) {
    succeeded(await files.write(path, typeof content === "string" ? encode(content) : content));
  }
}

export const readText = async ({ files }: Operations, path: string): Promise<string> =>
  decode(succeeded(await files.read(path)).bytes);
