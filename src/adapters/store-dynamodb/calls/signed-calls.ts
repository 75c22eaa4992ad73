// Calls DynamoDB by signed requests instead of the AWS SDK, which would be a sixth of the code that a function loads.
// Region, endpoint and credentials come from the environment, as on Lambda. Profiles and credential services are not
// read.
import * as http from "node:http";
import * as https from "node:https";
import type { Call, Operation } from "./calls.ts";
import { type Credentials, signRequest } from "./sign-request.ts";

type Environment = Readonly<Record<string, string | undefined>>;
export type Reply = { readonly status: number; readonly text: string };
/** Sends one request. Throws if the connection or the reply is lost. */
export type Post = (url: URL, headers: Readonly<Record<string, string>>, body: string) => Promise<Reply>;

const API = "DynamoDB_20120810";
/** A request that takes longer is aborted, so that the store has time for another attempt. */
const REQUEST_MS = 2_000;

const agents = {
  "http:": { request: http.request, agent: new http.Agent({ keepAlive: true }) },
  "https:": { request: https.request, agent: new https.Agent({ keepAlive: true }) },
};

export async function postOverHttp(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<Reply> {
  const { request, agent } = agents[url.protocol === "http:" ? "http:" : "https:"];
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(REQUEST_MS);
    const sent = request(url, { method: "POST", headers, agent, signal }, resolve);
    sent.on("error", reject);
    sent.end(body);
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() };
}

export function createSignedCalls(env: Environment, post: Post = postOverHttp): Call {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? "";
  const url = new URL(env.AWS_ENDPOINT_URL_DYNAMODB ?? env.AWS_ENDPOINT_URL ?? endpointOf(region));
  const call = async (operation: Operation, input: unknown): Promise<unknown> => {
    if (region === "") throw new Error("AWS_REGION is not set");
    const body = JSON.stringify(input, encodeBytes);
    const headers = {
      host: url.host,
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `${API}.${operation}`,
    };
    const signed = signRequest({ service: "dynamodb", region, headers, body, at: new Date() }, credentialsFrom(env));
    const { status, text } = await post(url, { ...signed, "content-length": String(Buffer.byteLength(body)) }, body);
    if (status !== 200) throw errorOf(status, text);
    return JSON.parse(text, decodeBytes);
  };
  return call as Call;
}

const endpointOf = (region: string): string =>
  `https://dynamodb.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

function credentialsFrom(env: Environment): Credentials {
  const access_key_id = env.AWS_ACCESS_KEY_ID;
  const secret_access_key = env.AWS_SECRET_ACCESS_KEY;
  if (!access_key_id || !secret_access_key)
    throw namedError("CredentialsProviderError", "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set");
  return { access_key_id, secret_access_key, session_token: env.AWS_SESSION_TOKEN ?? null };
}

/** Writes binary attributes as base64. `this` still has the Buffer, which JSON.stringify has converted in `value`. */
function encodeBytes(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const original = this[name];
  return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
}

/**
 * Only the values of binary attributes are strings under the name `B`. An attribute named `B` has an object as value.
 */
const decodeBytes = (name: string, value: unknown): unknown =>
  name === "B" && typeof value === "string" ? Buffer.from(value, "base64") : value;

const namedError = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { ...more, name });

/**
 * The error that the SDK would throw: `__type` is its name, and other fields are kept, such as the conflicting item.
 */
function errorOf(status: number, text: string): Error {
  const $metadata = { httpStatusCode: status };
  try {
    const { __type, message, Message, ...fields } = JSON.parse(text, decodeBytes) as Readonly<Record<string, unknown>>;
    const name = String(__type).replace(/.*#/, "");
    return namedError(name, String(message ?? Message ?? name), { ...fields, $metadata });
  } catch {
    return namedError("UnknownError", `the endpoint answered ${status}`, { $metadata });
  }
}
