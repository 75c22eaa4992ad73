// Decides which headers a caller may set, and which of them are kept on a redirect to another origin.
import type { FetchRequest } from "../../ports/fetcher.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { blocked } from "./url-policy.ts";

const HEADER_NAME = /^[a-z0-9-]{1,64}$/;
/** They belong to the connection or to proxies, or give access to the metadata service of a cloud. */
const FORBIDDEN_HEADERS =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|via|forwarded|accept-encoding|(proxy|x-forwarded|sec|metadata|x-aws|x-google)(-.*)?)$/;
/** Headers that are kept on a redirect to another origin; any other header could be a credential. */
const CROSS_ORIGIN_HEADERS = ["accept", "accept-language", "user-agent"];

export function checkHeaders(headers: NonNullable<FetchRequest["headers"]>): Result<Record<string, string>> {
  const checked: Record<string, string> = {};
  for (const [givenName, value] of Object.entries(headers)) {
    const name = givenName.toLowerCase();
    if (!HEADER_NAME.test(name) || FORBIDDEN_HEADERS.test(name) || !/^[\x20-\x7e]{0,8192}$/.test(value))
      return blocked(givenName, "header");
    checked[name] = value;
  }
  return ok(checked);
}

export const crossOriginHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => [...CROSS_ORIGIN_HEADERS, "accept-encoding"].includes(name)),
  );
