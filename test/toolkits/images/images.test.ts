// Tests images with a stub of the service on loopback: what is sent and written, hostile answers, and crashes.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { crashMatrix, crashTable } from "../../../src/testing/crash-matrix.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { images } from "../../../src/toolkits/images/toolkit.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import { aContext } from "../../support/tool-context.ts";
import { plugToolkit } from "../../support/toolkit.ts";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const imageOf = (bytes: Uint8Array): string => JSON.stringify({ data: [{ b64_json: base64(bytes) }] });

let server: Server;
let origin = "";
let answer = { status: 200, body: imageOf(PNG), hangs: false };
const requests: { url: string; key: string; type: string; body: string }[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { authorization = "", "content-type": type = "" } = request.headers;
    requests.push({ url: request.url ?? "", key: authorization, type, body: Buffer.concat(pieces).toString("latin1") });
    if (answer.hangs) response.destroy();
    else response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function plugged(given: Partial<typeof answer> = {}, model = "image-1") {
  answer = { status: 200, body: imageOf(PNG), hangs: false, ...given };
  const settings = { base_url: `http://${origin}/v1/`, api_key: "sk-secret-key", model };
  const fetch = createGuardedFetcher({ allow: [origin] });
  const context = aContext();
  const operations = virtualOperations(context);
  const kit = plugToolkit(images, { images: settings, fetch, files: () => operations });
  const run = async (name: string, args: object): Promise<unknown> => (await kit.call(name, args)).value;
  return { ...kit, run, files: operations.files };
}
const draw = { prompt: "A bicycle", path: "images/a.png" };

describe("text_to_image", () => {
  test("asks the service and writes the image to a new file", async () => {
    const { run, files } = plugged();
    expect(await run("text_to_image", draw)).toEqual({ path: "images/a.png", type: "image/png", bytes: PNG.length });
    expect(new Uint8Array(succeeded(await files.read("images/a.png")).bytes)).toEqual(PNG);
    expect(requests.at(-1)).toMatchObject({ url: "/v1/images/generations", key: "Bearer sk-secret-key" });
    expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({
      ...{ model: "image-1", n: 1, response_format: "b64_json", prompt: "A bicycle", size: "1024x1024" },
    });
  });

  test.each([
    ["dall-e-3", true],
    ["gpt-image-1", false],
    ["openai/gpt-image-1-mini", false],
  ])("asks %s for base64: %s", async (model, asks) => {
    const { run } = plugged({}, model);
    expect(await run("text_to_image", draw)).toMatchObject({ type: "image/png" });
    expect(Object.hasOwn(JSON.parse(requests.at(-1)?.body ?? ""), "response_format")).toBe(asks);
    expect(await run("image_to_image", { ...draw, source: draw.path, path: "images/b.png" })).toMatchObject({
      path: "images/b.png",
    });
    expect(requests.at(-1)?.body.includes("response_format")).toBe(asks);
  });

  test("overwrites no file, and requests no image that could not be written", async () => {
    const { run, files, find } = plugged();
    succeeded(await files.write("images/a.png", PNG));
    const before = requests.length;
    expect(await run("text_to_image", draw)).toMatchObject({ problem: { code: "tool_refused" } });
    expect(await find("text_to_image").check?.(draw, aContext())).toMatchObject({ ok: false });
    expect(requests.length).toBe(before);
  });

  test.each([
    ["a refusal", { status: 400, body: '{"error": {"message": "sk-secret-key"}}' }],
    ["a failure", { status: 500 }],
    ["no JSON", { body: "<html>" }],
    ["no image", { body: '{"data": []}' }],
    ["an address instead of an image", { body: '{"data": [{"url": "http://169.254.169.254/"}]}' }],
    ["no base64", { body: '{"data": [{"b64_json": "%%%"}]}' }],
    ["a program", { body: imageOf(new TextEncoder().encode("#!/bin/sh\nid\n")) }],
    ["SVG", { body: imageOf(new TextEncoder().encode("<svg onload='alert(1)'/>")) }],
    ["a type that does not match the name", { body: imageOf(Uint8Array.of(0xff, 0xd8, 0xff, 1)) }],
  ])("%s writes nothing", async (_what, given) => {
    const { run, files } = plugged(given);
    const result = await run("text_to_image", draw);
    expect(result).toMatchObject({ problem: { code: "tool_refused" } });
    expect(JSON.stringify(result)).not.toContain("sk-secret");
    expect((await files.stat("images/a.png")).ok).toBe(false);
  });

  test("without a response the result is unknown", async () => {
    expect(await plugged({ hangs: true }).run("text_to_image", draw)).toMatchObject({
      problem: { code: "outcome_unknown" },
    });
  });

  test.each([
    { path: "a.svg" },
    { path: "a" },
    { path: ".git/a.png" },
    { path: "../a.png" },
    { path: "/etc/a.png" },
    { path: "a/.b/c.png" },
    { path: "a\\b.png" },
    { path: "a\u0000.png" },
    { prompt: "" },
    { prompt: "x".repeat(4_001) },
    { size: "9999x9999" },
  ])("%j is no call", (change) => {
    expect(
      plugged()
        .find("text_to_image")
        .input.safeParse({ ...draw, ...change }).success,
    ).toBe(false);
  });
});

describe("image_to_image", () => {
  const args = { ...draw, source: "in.png", prompt: "Make it blue" };

  test("sends the source and writes the result", async () => {
    const { run, files } = plugged();
    succeeded(await files.write("in.png", PNG));
    expect(await run("image_to_image", args)).toMatchObject({ path: "images/a.png", type: "image/png" });
    const sent = requests.at(-1);
    expect(sent).toMatchObject({ url: "/v1/images/edits", type: expect.stringContaining("multipart/form-data") });
    expect(sent?.body).toContain("Make it blue");
    expect(sent?.body).toContain(Buffer.from(PNG).toString("latin1"));
  });

  test("sends no file that is not an image", async () => {
    const { run, files, find } = plugged();
    const before = requests.length;
    expect(await run("image_to_image", args)).toMatchObject({ problem: { code: "file_not_found" } });
    succeeded(await files.write("in.png", new TextEncoder().encode("API_KEY=1")));
    expect(await run("image_to_image", args)).toMatchObject({ problem: { code: "tool_refused" } });
    expect(await find("image_to_image").check?.(args, aContext())).toMatchObject({ ok: false });
    expect(requests.length).toBe(before);
  });
});

test.each(["text_to_image", "image_to_image"])("%s is unkeyed as declared, and needs an approval", async (name) => {
  const { find, files } = plugged();
  succeeded(await files.write("in.png", PNG));
  const tool = find(name);
  expect(tool.manifest).toMatchObject({ requires_confirmation: true, outward: true, permission: "EXTERNAL" });
  let n = 0;
  const fresh = {
    ...tool,
    check: null,
    run: (input: unknown, context: Parameters<typeof tool.run>[1]) =>
      tool.run({ ...(input as object), path: `out${n++}.png` }, context),
  };
  const effects = (): number => requests.length;
  const report = await crashMatrix({ tool: fresh, arguments: { ...draw, source: "in.png" }, effects });
  expect(report.honest, crashTable(report)).toBe(true);
});
