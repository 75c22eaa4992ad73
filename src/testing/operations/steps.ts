// What the cases about workspaces share.
import assert from "node:assert/strict";
import type { Operations } from "../../ports/operations.ts";
import type { ProblemCode, Result } from "../../schema/problem.ts";
import { succeeded } from "../expect.ts";

export type OperationsCase = { readonly name: string; readonly run: (operations: Operations) => Promise<void> };

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const words = (content: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

export function codeOf(result: Result<unknown>): ProblemCode {
  assert.ok(!result.ok, "expected a problem");
  return result.problem.code;
}

export async function put({ files }: Operations, all: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(all)) {
    succeeded(await files.write(path, typeof content === "string" ? bytes(content) : content));
  }
}

export const readText = async ({ files }: Operations, path: string): Promise<string> =>
  words(succeeded(await files.read(path)).bytes);
