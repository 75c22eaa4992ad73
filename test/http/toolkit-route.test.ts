// Tests routes that a toolkit declares as plain data. They are adapted, authorized, validated and documented like the
// server's own.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createApp } from "../../src/http/app.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import type { RouteRequest, ToolkitRoute } from "../../src/tools/route.ts";
import { callTool } from "../support/decisions.ts";
import { createTestRuntime } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";

const Note = z.strictObject({ text: z.string().min(1) });

const routes: readonly ToolkitRoute[] = [
  {
    method: "put",
    path: "/v1/threads/:id/notes/:note",
    scope: "advance",
    openapi: {
      id: "putNote",
      summary: "Write a note",
      body: Note,
      responses: { 200: { description: "The note.", schema: Note } },
      problems: ["thread_not_found"],
    },
    handler: async ({ thread, params, body, caller, query }) => {
      const found = await thread();
      if (!found.ok) return found;
      const { state, at } = found.value;
      const { text } = body as z.infer<typeof Note>;
      return ok({
        headers: { etag: '"1"' },
        body: { text, note: params.note, by: caller.name, goal: state.goal, tenant: at.tenant, query },
      });
    },
  },
  {
    method: "get",
    path: "/v1/threads/:id/notes",
    scope: "read",
    openapi: null,
    handler: async ({ thread }) => {
      const found = await thread();
      if (!found.ok) return found;
      const call = await found.value.proposedCall();
      return call.ok ? ok({ body: { call: call.value } }) : call;
    },
  },
  {
    method: "post",
    path: "/v1/notes",
    scope: "admin",
    body_bytes_max: 10,
    openapi: {
      id: "importNotes",
      summary: "Import notes",
      body: z.string(),
      body_type: "text/markdown",
      responses: { 201: { description: "Imported.", schema: null } },
    },
    handler: ({ text, body, headers }: RouteRequest) =>
      text === "bad"
        ? fail("request_invalid", "notes: bad.", { field: "notes" })
        : ok({ status: 201, headers: { "content-type": "text/plain" }, text: `${text} ${body} ${headers.host}` }),
  },
  { method: "delete", path: "/v1/notes", scope: "admin", openapi: null, handler: () => ok({}) },
];

function start() {
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool([])]);
  const keys = () => [aKeyRow("ada", "acme"), aKeyRow("reader", "acme", ["read"]), aKeyRow("eve", "other")];
  const app = createApp(testSettings(rt, { keys }), [], routes);
  const send = async (method: string, path: string, body?: string, { key = "ada", type = "application/json" } = {}) => {
    const headers = { authorization: `Bearer ${apiKeyFor(key)}`, host: "localhost", "content-type": type };
    const response = await app.request(path, { method, headers, ...(body === undefined ? {} : { body }) });
    return { response, text: await response.clone().text(), json: async () => (await response.json()) as never };
  };
  const create = async () => {
    const { json } = await send("POST", "/v1/threads", JSON.stringify({ goal: "Tidy up", mode: "direct" }));
    return ((await json()) as { thread: { id: string } }).thread.id;
  };
  return { app, send, create };
}

const codeOf = (text: string): string => (JSON.parse(text) as { code: string }).code;

describe("a route of a toolkit", () => {
  test("gets the caller, the parameters, the parsed body and its thread", async () => {
    const { send, create } = start();
    const id = await create();
    const { response, json } = await send("PUT", `/v1/threads/${id}/notes/7?color=red`, '{"text":"milk"}');
    expect([response.status, response.headers.get("etag")]).toEqual([200, '"1"']);
    expect(await json()).toEqual({
      text: "milk",
      note: "7",
      by: "ada",
      goal: "Tidy up",
      tenant: "acme",
      query: { color: "red" },
    });
  });

  test("never sees a body that its schema or the limits refuse", async () => {
    const { send, create } = start();
    const path = `/v1/threads/${await create()}/notes/7`;
    expect(codeOf((await send("PUT", path, '{"text":""}')).text)).toBe("request_invalid");
    expect(codeOf((await send("PUT", path, '{"text":"a","text":"b"}')).text)).toBe("body_invalid");
    expect(codeOf((await send("PUT", path, '{"text":"a"}', { type: "text/plain" })).text)).toBe(
      "content_type_unsupported",
    );
    expect(codeOf((await send("POST", "/v1/notes", "x".repeat(11), { type: "text/markdown" })).text)).toBe(
      "body_too_large",
    );
  });

  test("needs its scope, and finds no thread of another tenant", async () => {
    const { send, create } = start();
    const path = `/v1/threads/${await create()}/notes/7`;
    expect(codeOf((await send("PUT", path, '{"text":"a"}', { key: "reader" })).text)).toBe("forbidden");
    expect(codeOf((await send("PUT", path, '{"text":"a"}', { key: "eve" })).text)).toBe("thread_not_found");
    expect(codeOf((await send("PUT", path, '{"text":"a"}', { key: "nobody" })).text)).toBe("unauthorized");
  });

  test("returns text, an empty response or a problem", async () => {
    const { send } = start();
    const type = "text/markdown";
    const imported = await send("POST", "/v1/notes", "# A", { type });
    expect([imported.response.status, imported.text]).toEqual([201, "# A undefined localhost"]);
    expect(imported.response.headers.get("content-type")).toBe("text/plain");
    const refused = await send("POST", "/v1/notes", "bad", { type });
    expect([refused.response.status, codeOf(refused.text)]).toEqual([400, "request_invalid"]);
    expect((await send("DELETE", "/v1/notes")).response.status).toBe(204);
  });

  test("can look at the call that waits for its approval", async () => {
    const { send, create } = start();
    const id = await create();
    expect(await (await send("GET", `/v1/threads/${id}/notes`)).json()).toEqual({ call: null });
    await send("POST", `/v1/threads/${id}/turns`, "{}");
    expect(await (await send("GET", `/v1/threads/${id}/notes`)).json()).toEqual({
      call: { name: "write", arguments: { line: "a" } },
    });
  });

  test("is documented, and its path lists its methods", async () => {
    const { app } = start();
    const document = (await (await app.request("/openapi.json")).json()) as { paths: Record<string, object> };
    expect(document.paths["/v1/threads/{id}/notes/{note}"]).toMatchObject({
      put: {
        operationId: "putNote",
        security: [{ key: ["advance"] }],
        parameters: [{ name: "id" }, { name: "note", in: "path", required: true }],
        responses: { 200: {}, 404: { description: "`thread_not_found`" } },
      },
    });
    expect(document.paths["/v1/threads/{id}/notes"]).toBeUndefined();
    const refused = await app.request("/v1/notes", { method: "PATCH" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST, DELETE, OPTIONS"]);
  });
});
