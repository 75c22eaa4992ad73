// Signs a POST to an AWS service with Signature Version 4. As in all JSON protocols of AWS, the path is "/" and there
// is no query.
import { createHash, createHmac } from "node:crypto";

export type Credentials = {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** The token of temporary credentials, such as those of a Lambda function. Null for permanent ones. */
  readonly session_token: string | null;
};

export type UnsignedRequest = {
  readonly service: string;
  readonly region: string;
  /** The names are in lower case and include `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: Date;
};

const ALGORITHM = "AWS4-HMAC-SHA256";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

export function signRequest(request: UnsignedRequest, credentials: Credentials): Record<string, string> {
  const { service, region, body, at } = request;
  const time = `${at.toISOString().replace(/[-:]|\.\d+/g, "")}`;
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-date": time,
    ...(credentials.session_token === null ? {} : { "x-amz-security-token": credentials.session_token }),
  };
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join("");
  const signedHeaders = names.join(";");
  const canonical = ["POST", "/", "", lines, signedHeaders, sha256(body)].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [ALGORITHM, time, scope, sha256(canonical)].join("\n");
  const key = [region, service, "aws4_request"].reduce<Buffer>(
    (parent, part) => hmac(parent, part),
    hmac(`AWS4${credentials.secret_access_key}`, day),
  );
  const signature = hmac(key, toSign).toString("hex");
  const credential = `${credentials.access_key_id}/${scope}`;
  headers.authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
  return headers;
}
