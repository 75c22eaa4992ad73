// Tests signed requests to DynamoDB without the AWS SDK: the signature, the encoding of values, and the errors.
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { signRequest } from "../../src/adapters/store-dynamodb/calls/sign-request.ts";
import { createSignedCalls, type Post, type Reply } from "../../src/adapters/store-dynamodb/calls/signed-calls.ts";

const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const ENV = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
};

type Sent = { readonly url: URL; readonly headers: Readonly<Record<string, string>>; readonly body: string };

function record(reply: Reply = { status: 200, text: "{}" }): { readonly sent: Sent[]; readonly post: Post } {
  const sent: Sent[] = [];
  const post: Post = async (url, headers, body) => {
    sent.push({ url, headers, body });
    return reply;
  };
  return { sent, post };
}

/** Returns a request as the SDK signs it. */
async function signedBySdk(sessionToken?: string): Promise<{ headers: Record<string, string>; body: string }> {
  const seen: { headers: Record<string, string>; body: Uint8Array }[] = [];
  const handle = async (request: { headers: Record<string, string>; body: Uint8Array }) => {
    seen.push(request);
    throw new Error("not sent");
  };
  const client = new DynamoDBClient({
    region: "eu-central-1",
    credentials: { ...KEYS, ...(sessionToken && { sessionToken }) },
    maxAttempts: 1,
    requestHandler: { handle, destroy: () => undefined } as never,
  });
  const command = new GetItemCommand({ TableName: "pawl", Key: { pk: { S: "Zürich" } } });
  await expect(client.send(command)).rejects.toThrow("not sent");
  const [request] = seen;
  if (!request) throw new Error("the SDK sent nothing");
  return { headers: request.headers, body: Buffer.from(request.body).toString() };
}

describe("the signature", () => {
  test.each([[undefined], ["temporary/token=="]])("is the one of the SDK, with the session token %s", async (token) => {
    const { headers, body } = await signedBySdk(token);
    const [, names = ""] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? "") ?? [];
    const own = Object.fromEntries(names.split(";").map((name) => [name, headers[name] ?? ""]));
    const at = (headers["x-amz-date"] ?? "").replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z");
    const credentials = {
      access_key_id: KEYS.accessKeyId,
      secret_access_key: KEYS.secretAccessKey,
      session_token: token ?? null,
    };
    const request = { service: "dynamodb", region: "eu-central-1", headers: own, body, at: new Date(at) };
    expect(signRequest(request, credentials).authorization).toBe(headers.authorization);
    expect(signRequest({ ...request, body: `${body} ` }, credentials).authorization).not.toBe(headers.authorization);
  });
});

describe("a call", () => {
  test("sends its operation and input to the endpoint of the region", async () => {
    const { sent, post } = record();
    await createSignedCalls(ENV, post)("GetItem", { TableName: "pawl", Key: { pk: { S: "a" } } });
    expect(sent[0]).toMatchObject({
      headers: { "x-amz-target": "DynamoDB_20120810.GetItem", "content-type": "application/x-amz-json-1.0" },
      body: '{"TableName":"pawl","Key":{"pk":{"S":"a"}}}',
    });
    expect(sent[0]?.url.href).toBe("https://dynamodb.eu-central-1.amazonaws.com/");
    expect(sent[0]?.headers).not.toHaveProperty("x-amz-security-token");
  });

  test.each([
    [{ AWS_REGION: "cn-north-1" }, "https://dynamodb.cn-north-1.amazonaws.com.cn/"],
    [{ AWS_ENDPOINT_URL: "http://127.0.0.1:4566" }, "http://127.0.0.1:4566/"],
    [{ AWS_ENDPOINT_URL: "http://a", AWS_ENDPOINT_URL_DYNAMODB: "http://b" }, "http://b/"],
  ])("with %o goes to %s", async (env, url) => {
    const { sent, post } = record();
    await createSignedCalls({ ...ENV, ...env }, post)("GetItem", { TableName: "pawl", Key: {} });
    expect(sent[0]?.url.href).toBe(url);
  });

  test("has the session token of the moment, which may change while the process lives", async () => {
    const { sent, post } = record();
    const env: Record<string, string> = { ...ENV, AWS_SESSION_TOKEN: "first" };
    const call = createSignedCalls(env, post);
    await call("GetItem", { TableName: "pawl", Key: {} });
    env.AWS_SESSION_TOKEN = "second";
    await call("GetItem", { TableName: "pawl", Key: {} });
    expect(sent.map(({ headers }) => headers["x-amz-security-token"])).toEqual(["first", "second"]);
  });

  test("carries bytes as base64 in both directions, also in an attribute that is named B", async () => {
    const bytes = Buffer.from([0, 255, 7, 128]);
    const item = { data: { B: bytes.toString("base64") }, B: { S: "AAAA" } };
    const { sent, post } = record({ status: 200, text: JSON.stringify({ Item: item }) });
    const call = createSignedCalls(ENV, post);
    await call("PutItem", { TableName: "pawl", Item: { data: { B: bytes }, more: { B: new Uint8Array([1, 2]) } } });
    expect(JSON.parse(sent[0]?.body ?? "").Item).toEqual({ data: { B: "AP8HgA==" }, more: { B: "AQI=" } });
    const { Item } = await call("GetItem", { TableName: "pawl", Key: {} });
    expect(Item).toEqual({ data: { B: bytes }, B: { S: "AAAA" } });
  });

  test("throws an error with the name and the fields of the reply", async () => {
    const reply = {
      __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
      message: "The conditional request failed",
      Item: { data: { B: "AQI=" } },
    };
    const { post } = record({ status: 400, text: JSON.stringify(reply) });
    const call = createSignedCalls(ENV, post);
    await expect(call("PutItem", { TableName: "pawl", Item: {} })).rejects.toMatchObject({
      name: "ConditionalCheckFailedException",
      message: "The conditional request failed",
      Item: { data: { B: Buffer.from([1, 2]) } },
      $metadata: { httpStatusCode: 400 },
    });
  });

  test("throws the status where the reply is no JSON", async () => {
    const { post } = record({ status: 503, text: "<html>" });
    const failed = createSignedCalls(ENV, post)("GetItem", { TableName: "pawl", Key: {} });
    await expect(failed).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  });

  test("without credentials is refused before anything is sent", async () => {
    const { sent, post } = record();
    const call = createSignedCalls({ AWS_REGION: "eu-central-1" }, post);
    const failed = call("GetItem", { TableName: "pawl", Key: {} });
    await expect(failed).rejects.toMatchObject({ name: "CredentialsProviderError" });
    expect(sent).toEqual([]);
  });

  test("without a region says which variable is missing", async () => {
    const call = createSignedCalls({ ...ENV, AWS_REGION: undefined }, record().post);
    await expect(call("GetItem", { TableName: "pawl", Key: {} })).rejects.toThrow("AWS_REGION is not set");
  });
});
