// Reads the error of each protocol with Pawl's code and hint. Each reader throws if a response has another form.
import { expect } from "vitest";
import { PROBLEMS, type ProblemCode } from "../../src/schema/problem.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of six protocols
type Any = any;
type Found = { readonly code: string; readonly text: string };
export type ErrorForm = (status: number, body: Any) => Found;

const hintOf = (code: string): string => PROBLEMS[code as ProblemCode].hint;

export const problemForm: ErrorForm = (status, { code, hint, message }) => {
  expect([status, hint]).toEqual([PROBLEMS[code as ProblemCode].status, hintOf(code)]);
  return { code, text: `${message} ${hint}` };
};

export const openaiForm: ErrorForm = (status, { error }) => {
  expect(status).toBe(PROBLEMS[error.code as ProblemCode].status);
  expect(Object.keys(error).sort()).toEqual(["code", "message", "param", "type"]);
  expect(error.message).toContain(hintOf(error.code));
  return { code: error.code, text: error.message };
};

/**
 * Returns the code from the message. Clients of MCP recognize a missing resource by data that contains only its
 * address.
 */
const codeInText = (text: string): string => /\(([a-z_]+)\)$/.exec(text)?.[1] ?? "none";

export const mcpForm: ErrorForm = (_status, { result, error }) => {
  if (!error) {
    const { code, hint } = result.structuredContent.problem;
    expect([result.isError, hint]).toEqual([true, hintOf(code)]);
    return { code, text: result.content[0].text };
  }
  const code = codeInText(error.message);
  expect([typeof error.code, error.message]).toEqual(["number", expect.stringContaining(hintOf(code))]);
  const isMissing = code === "thread_not_found" && "uri" in error.data;
  expect(error.data).toMatchObject(isMissing ? { uri: expect.any(String) } : { code, hint: hintOf(code) });
  return { code, text: error.message };
};

export const a2aForm: ErrorForm = (_status, { error }) => {
  const { code, hint } = error.data[0].metadata;
  expect([typeof error.code, hint]).toEqual(["number", hintOf(code)]);
  return { code, text: error.message };
};

/** Reads a body. MCP answers a single request with a stream of one frame. */
export async function readBody(response: Response): Promise<Any> {
  const text = await response.text();
  const [, frame] = /^data: (.*)$/m.exec(text) ?? [];
  return JSON.parse(frame ?? text);
}
