// Converts an input to its stored form. Large arguments are stored only once, in the blob of the call.
import { byteLength } from "../../schema/byte-length.ts";
import type { TurnInput } from "../../schema/input.ts";
import { ARGUMENTS_INLINE_BYTES } from "../../schema/record.ts";

export const isLarge = (args: Record<string, unknown>): boolean =>
  byteLength(JSON.stringify(args)) > ARGUMENTS_INLINE_BYTES;

export function storedInput(input: TurnInput | null): TurnInput | null {
  // The output is omitted, because the observation of the same record contains its text.
  if (input?.type === "tool_result" && isLarge({ output: input.output })) return { ...input, output: null };
  return input?.type === "confirm" && input.edited_arguments && isLarge(input.edited_arguments)
    ? { ...input, edited_arguments: {} }
    : input;
}
