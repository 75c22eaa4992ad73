// Runs one handler under its limits and says what became of it. Never throws; knows nothing of threads or gates.
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Failed } from "../schema/problem.ts";
import { cutText } from "./cut-text.ts";
import type { Tool, ToolContext } from "./define-tool.ts";

export type ToolRun = {
  readonly how: "done" | "refused" | "threw" | "bad_output" | "timeout";
  readonly success: boolean;
  /** What the model will see, cut to the manifest's limit. */
  readonly text: string;
  readonly raw: unknown;
  /** Of the whole output. */
  readonly size: number;
  readonly sha256: string;
};

export type RunPorts = { readonly clock: Clock; readonly hash: Hash };

export async function runTool(tool: Tool, args: unknown, context: ToolContext, ports: RunPorts): Promise<ToolRun> {
  const stop = new AbortController();
  const timer = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const late = ports.clock.sleep(tool.manifest.timeout_ms, timer.signal).then(() => ({ late: true as const }));
  const outcome = await Promise.race([attempt(tool, args, { ...context, signal }), late]);
  timer.abort();
  if ("late" in outcome) {
    stop.abort();
    return failedRun(
      "timeout",
      `${tool.manifest.name} did not finish within ${tool.manifest.timeout_ms} ms.`,
      ports.hash,
    );
  }
  if ("threw" in outcome) return failedRun("threw", `${tool.manifest.name} failed: ${outcome.threw}`, ports.hash);
  return readOutput(tool, outcome.value, ports.hash);
}

async function attempt(
  tool: Tool,
  args: unknown,
  context: ToolContext,
): Promise<{ value: unknown } | { threw: string }> {
  try {
    const value = await tool.run(args, context);
    return { value: isStream(value) ? await collect(value, context) : value };
  } catch (error) {
    return { threw: error instanceof Error ? error.message : String(error) };
  }
}

const isStream = (value: unknown): value is AsyncIterable<string> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

async function collect(stream: AsyncIterable<string>, context: ToolContext): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += chunk;
    context.progress(chunk);
  }
  return text;
}

const isRefusal = (value: unknown): value is Failed =>
  typeof value === "object" && value !== null && "ok" in value && value.ok === false && "problem" in value;

function readOutput(tool: Tool, value: unknown, hash: Hash): ToolRun {
  if (isRefusal(value)) return failedRun("refused", value.problem.message, hash);
  const checked = tool.output ? tool.output.safeParse(value) : { success: true as const, data: value };
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue?.path.join(".") || "the result";
    return failedRun(
      "bad_output",
      `${tool.manifest.name} broke its own output schema at ${where}: ${issue?.message}`,
      hash,
    );
  }
  const whole = tool.render(checked.data);
  return {
    how: "done",
    success: true,
    text: cutText(whole, tool.manifest.max_output_chars),
    raw: checked.data,
    size: byteLength(whole),
    sha256: hash.sha256(whole),
  };
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

function failedRun(how: "refused" | "threw" | "bad_output" | "timeout", text: string, hash: Hash): ToolRun {
  return { how, success: false, text, raw: null, size: byteLength(text), sha256: hash.sha256(text) };
}
