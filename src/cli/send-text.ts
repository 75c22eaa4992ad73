// Sends a request whose body or response is not JSON, such as an export, which the client cannot send or read.
import type { Problem, Result } from "../schema/problem.ts";
import type { Connection } from "./connect.ts";
import { messageOf } from "./output.ts";

export async function sendText(
  { url, key }: Pick<Connection, "url" | "key">,
  [method, path]: readonly [method: string, path: string],
  text?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> },
  send = fetch,
): Promise<Result<Response>> {
  const headers = {
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(text ? { "content-type": text.type } : {}),
  };
  try {
    const response = await send(`${url.replace(/\/$/, "")}${path}`, {
      method,
      headers,
      ...(text && { body: text.body }),
    });
    return response.ok ? { ok: true, value: response } : { ok: false, problem: (await response.json()) as Problem };
  } catch (error) {
    const message = `${url} cannot be reached: ${messageOf(error)}`;
    const hint = "Check the URL and whether the server is running, then retry.";
    return { ok: false, problem: { code: "store_unavailable", message, hint, retry: "later", status: 503 } };
  }
}
