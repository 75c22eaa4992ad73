// Finds an image in a tool result. It accepts only bitmap formats and only inline data, so nothing is fetched.
import { t } from "../messages/messages.ts";

const DATA_URL = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const BITMAP = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export type ImageSource = { readonly src: string; readonly alt: string };

export function findImage(value: unknown): ImageSource | null {
  if (typeof value === "string") return DATA_URL.test(value) ? { src: value, alt: t().results.image } : null;
  if (typeof value !== "object" || value === null) return null;
  const { image, data, mime_type, mimeType, media_type, alt } = value as Record<string, unknown>;
  const altText = typeof alt === "string" ? alt : t().results.image;
  if (typeof image === "string" && DATA_URL.test(image)) return { src: image, alt: altText };
  const type = [mime_type, mimeType, media_type].find((one) => typeof one === "string" && BITMAP.test(one));
  if (typeof data !== "string" || type === undefined || !BASE64.test(data)) return null;
  return { src: `data:${String(type)};base64,${data}`, alt: altText };
}
