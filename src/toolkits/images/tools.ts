// Generates images with the configured service and writes them to files. Each call costs money and sends the prompt to
// the service.
import * as z from "zod";
import type { FileOperations } from "../../ports/operations.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { ImagePath, readImage, refuseExisting, writeImage } from "./image-file.ts";
import type { ImageService } from "./image-service.ts";

const SIZES = ["256x256", "512x512", "1024x1024", "1024x1536", "1536x1024"] as const;
const Output = z.object({ path: z.string(), type: z.string(), bytes: z.int() });
const shared = {
  prompt: z.string().trim().min(1).max(4_000).describe("what the image shows"),
  path: ImagePath.describe("the new file; it must not exist yet"),
  size: z.enum(SIZES).optional().describe("1024x1024 by default"),
};

const MANIFEST = {
  toolset: "images",
  category: "images",
  permission: "EXTERNAL",
  scope: "NETWORK",
  effect: "unkeyed",
  requires_confirmation: true,
  outward: true,
  timeout_ms: 150_000,
  output: Output,
  render: ({ path, type, bytes }: z.infer<typeof Output>) => `${path}: ${type}, ${bytes} bytes.`,
} as const;

export const textToImage = (service: ImageService, operations: OperationsFor): Tool =>
  defineTool(
    {
      ...MANIFEST,
      name: "text_to_image",
      tags: ["network", "image"],
      description: "Make an image from a description and write it to a new file.",
      prompt_hint: "one image per call; describe subject, style and background.",
      input: z.object(shared),
      check: ({ path }, context) => refuseExisting(operations(context).files, path),
      examples: [
        {
          arguments: { prompt: "A red bicycle, flat icon", path: "images/bicycle.png" },
          result: "images/bicycle.png: image/png, 48213 bytes.",
        },
      ],
    },
    ({ prompt, path, size = "1024x1024" }, context) =>
      make(operations(context).files, path, () => service.generate({ prompt, size }, context.signal)),
  );

export const imageToImage = (service: ImageService, operations: OperationsFor): Tool =>
  defineTool(
    {
      ...MANIFEST,
      name: "image_to_image",
      tags: ["network", "image"],
      description: "Change an image of the workspace by a description and write the result to a new file.",
      prompt_hint: "say what changes and what stays; the source file is kept.",
      input: z.object({ ...shared, source: ImagePath.describe("the image to begin with") }),
      check: async ({ path, source }, context) => {
        const read = await readImage(operations(context).files, source);
        return read.ok ? refuseExisting(operations(context).files, path) : read;
      },
      examples: [
        {
          arguments: { prompt: "Make it blue", source: "images/bicycle.png", path: "images/blue.png" },
          result: null,
        },
      ],
    },
    async ({ prompt, path, source, size = "1024x1024" }, context) => {
      const { files } = operations(context);
      const read = await readImage(files, source);
      if (!read.ok) return read;
      return make(files, path, () => service.edit({ prompt, size }, read.value, context.signal));
    },
  );

async function make(
  files: FileOperations,
  path: string,
  request: () => Promise<Result<Uint8Array>>,
): Promise<z.infer<typeof Output> | Failed> {
  const refused = await refuseExisting(files, path);
  if (refused) return refused;
  const made = await request();
  if (!made.ok) return made;
  const written = await writeImage(files, path, made.value);
  if (written.ok) return { path, type: written.value, bytes: made.value.length };
  return fail("tool_refused", `The image was made, but not written. ${written.problem.message}`);
}
