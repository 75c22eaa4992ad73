// Sends requests to an images API that is compatible with OpenAI's. The response contains the image, never a URL to
// download.
import * as z from "zod";
import type { ImageSettings } from "../../ports/data/image-settings.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { parseJson } from "../../schema/json/parse-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { IMAGE_BYTES_MAX } from "./image-file.ts";

/** Base64 takes four characters for three bytes, and the rest of the response is some JSON. */
const RESPONSE_BYTES_MAX = Math.ceil(IMAGE_BYTES_MAX / 3) * 4 + 65_536;
const TOTAL_MS = 120_000;
/** These models always return base64, and refuse requests that ask for it. */
const ALWAYS_BASE64 = /(?:^|\/)(?:chat)?gpt-image/i;

const ImageResponse = z.object({ data: z.array(z.object({ b64_json: z.base64().min(1) })).min(1) });

export type ImageRequest = { readonly prompt: string; readonly size: string };
export type SourceImage = { readonly bytes: Uint8Array; readonly type: string };
type Post = { readonly path: string; readonly type: string; readonly body: Uint8Array; readonly signal: AbortSignal };

export type ImageService = {
  readonly generate: (request: ImageRequest, signal: AbortSignal) => Promise<Result<Uint8Array>>;
  readonly edit: (request: ImageRequest, source: SourceImage, signal: AbortSignal) => Promise<Result<Uint8Array>>;
};

export function createImageService(fetcher: Fetcher, { base_url, api_key, model }: ImageSettings): ImageService {
  const given = () => ({ model, ...(ALWAYS_BASE64.test(model) ? {} : { response_format: "b64_json" }) });
  const post = async ({ path, type, body, signal }: Post): Promise<Result<Uint8Array>> => {
    const headers: Record<string, string> = { "content-type": type };
    if (api_key !== null) headers.authorization = `Bearer ${api_key}`;
    const url = `${base_url.replace(/\/+$/, "")}/images/${path}`;
    const options = { max_bytes: RESPONSE_BYTES_MAX, total_ms: TOTAL_MS, idle_ms: TOTAL_MS, signal };
    const page = await fetcher.fetch({ url, method: "POST", headers, body }, options);
    if (page.ok) return readImageResponse(page.value.status, page.value.body, page.value.truncated);
    // Without a response, the image may still have been created and charged.
    return page.problem.code === "fetch_failed" ? fail("outcome_unknown", "The image service gave no response.") : page;
  };
  return {
    generate: (request, signal) => {
      const body = new TextEncoder().encode(JSON.stringify({ ...given(), n: 1, ...request }));
      return post({ path: "generations", type: "application/json", body, signal });
    },
    edit: async (request, { bytes, type }, signal) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...given(), n: "1", ...request })) form.set(name, value);
      form.set("image", new Blob([bytes.slice()], { type }), `image.${type.split("/")[1]}`);
      const encoded = new Response(form);
      const body = new Uint8Array(await encoded.arrayBuffer());
      return post({ path: "edits", type: encoded.headers.get("content-type") ?? "", body, signal });
    },
  };
}

/** Shows only the status of a failed request, because the service's messages can repeat the prompt. */
function readImageResponse(status: number, body: Uint8Array, truncated: boolean): Result<Uint8Array> {
  if (status < 200 || status > 299) return fail("tool_refused", `The image service answered ${status}.`);
  if (truncated) return fail("tool_refused", `The image is larger than ${IMAGE_BYTES_MAX} bytes.`);
  const read = ImageResponse.safeParse(parseJson(new TextDecoder().decode(body)));
  const encoded = read.success ? read.data.data[0]?.b64_json : undefined;
  if (encoded === undefined) return fail("tool_refused", "The image service returned no image.");
  const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
  return bytes.length > IMAGE_BYTES_MAX ? fail("tool_refused", "The image is too large.") : ok(bytes);
}
