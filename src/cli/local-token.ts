// Reads the local token of a server on this machine, if the server requires it, from the server's data folder.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createClient } from "../client/client.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const TOKEN = /^pawl_local_[A-Za-z0-9_-]{43}$/;

type About = { readonly data: string | null; readonly caller: { readonly scopes: readonly string[] } };

/** Each port has its own file, whose token is valid only for the server on that port. */
export async function localToken(url: string): Promise<string | null> {
  const { hostname, port } = new URL(url);
  if (!LOOPBACK.includes(hostname)) return null;
  const about = await createClient(url).call<About>("GET", "/v1/about");
  if (!about.ok || about.value.data === null || about.value.caller.scopes.includes("confirm")) return null;
  const text = await readFile(join(dirname(about.value.data), `token-${port || "80"}`), "utf8").catch(() => "");
  return TOKEN.test(text.trim()) ? text.trim() : null;
}
