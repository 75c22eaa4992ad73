// Recognizes image files by their first bytes, limits their size, and never overwrites another file.
import * as z from "zod";
import type { FileOperations } from "../../ports/operations.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";

export const IMAGE_BYTES_MAX = 8_388_608;

/** No segment begins with a dot, because images have no place in hidden folders. */
export const ImagePath = z
  .string()
  .max(512)
  .regex(/^[\w-][\w .-]*(?:\/[\w-][\w .-]*)*\.(?:png|jpe?g|webp)$/i, "must be a path that ends in .png, .jpg or .webp");

export type ImageType = "image/png" | "image/jpeg" | "image/webp";

const startsWith = (bytes: Uint8Array, at: number, ...expected: readonly number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte);

export function imageType(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return "image/jpeg";
  const isWebp = startsWith(bytes, 0, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes, 8, 0x57, 0x45, 0x42, 0x50);
  return isWebp ? "image/webp" : null;
}

const ENDINGS: Readonly<Record<ImageType, RegExp>> = {
  "image/png": /\.png$/i,
  "image/jpeg": /\.jpe?g$/i,
  "image/webp": /\.webp$/i,
};

/** Refuses a path that exists. It is checked before the image is paid for, and again when the image is written. */
export async function refuseExisting(files: FileOperations, path: string): Promise<Failed | null> {
  const found = await files.stat(path);
  if (found.ok) return fail("tool_refused", `${JSON.stringify(path)} exists already; choose another name.`);
  return found.problem.code === "file_not_found" ? null : found;
}

export async function writeImage(files: FileOperations, path: string, bytes: Uint8Array): Promise<Result<ImageType>> {
  const type = imageType(bytes);
  if (type === null)
    return fail("tool_refused", "The service returned something that is not a PNG, JPEG or WebP image.");
  if (!ENDINGS[type].test(path))
    return fail("tool_refused", `The service returned ${type}; choose a name with that ending.`);
  const written = await files.rewrite(path, (before) =>
    before === null ? ok(bytes) : fail("tool_refused", `${JSON.stringify(path)} exists already.`),
  );
  return written.ok ? ok(type) : written;
}

export async function readImage(
  files: FileOperations,
  path: string,
): Promise<Result<{ bytes: Uint8Array; type: ImageType }>> {
  const read = await files.read(path, { limit: IMAGE_BYTES_MAX + 1 });
  if (!read.ok) return read;
  if (read.value.size > IMAGE_BYTES_MAX)
    return fail("file_too_large", `${path} is larger than ${IMAGE_BYTES_MAX} bytes.`);
  const type = imageType(read.value.bytes);
  return type === null
    ? fail("tool_refused", `${path} is not a PNG, JPEG or WebP image.`)
    : ok({ bytes: read.value.bytes, type });
}
