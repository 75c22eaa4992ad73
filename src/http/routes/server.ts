// Routes of the server itself: liveness, readiness, the OpenAPI document as JSON and HTML, and the problem pages.
import * as z from "zod";
import { fail, PROBLEMS, type ProblemCode } from "../../schema/problem.ts";
import { LOOPBACK } from "../edge/guard.ts";
import { checkStore } from "../edge/readiness.ts";
import type { Ctx } from "../env.ts";
import { DOCS_PAGE_CSP, htmlPage, renderMarkdown } from "../pages/html.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type Route, route } from "../route.ts";

export const serverRoutes: readonly Route[] = [
  route(["get", "/openapi.json", null], getOpenApi, {
    id: "openapi",
    summary: "This document",
    responses: { 200: { description: "OpenAPI 3.1.", schema: z.looseObject({ openapi: z.literal("3.1.1") }) } },
  }),
  route(["get", "/docs", null], getDocs, {
    id: "docs",
    summary: "This document as a page",
    responses: { 200: { description: "A self-contained page.", schema: z.string(), type: "text/html" } },
  }),
  route(["get", "/problems/:code", null], getProblem, {
    id: "problemPage",
    summary: "Explain a problem and what to do about it",
    description: "An HTML page, or Markdown where the request does not accept text/html.",
    responses: { 200: { description: "The page.", schema: z.string(), type: "text/html", plain: true } },
    problems: ["route_not_found"],
  }),
  route(["get", "/healthz", null], (c) => respondJson(c, { ok: true, release: c.get("options").release }), {
    id: "healthz",
    summary: "Check that the server is alive",
    responses: { 200: { description: "The server is alive.", schema: "HealthBody" } },
  }),
  route(["get", "/readyz", null], readyz, {
    id: "readyz",
    summary: "Check that the server can work: its store can be read and written",
    responses: { 200: { description: "The store can be read and written.", schema: "ReadinessBody" } },
  }),
];

async function readyz(c: Ctx): Promise<Answer> {
  const ready = await checkStore(c.get("options").rt);
  return ready.ok ? respondJson(c, { ok: true }) : ready;
}

// The module is imported on the first request, so that a server that starts for a single turn need not load it.
const loadDocument = async (c: Ctx) => {
  const { openApiDocument } = await import("../openapi/document.ts");
  const { routes, release } = c.get("options");
  return openApiDocument(routes, release);
};

async function getOpenApi(c: Ctx): Promise<Answer> {
  return respondJson(c, await loadDocument(c));
}

async function getDocs(c: Ctx): Promise<Answer> {
  const { docsPage } = await import("../pages/docs-page.ts");
  return respondPage(c, docsPage(await loadDocument(c), shownOrigin(c)));
}

/** A client may send any Host header, so the page repeats it only if it names this machine. */
const shownOrigin = (c: Ctx): string =>
  LOOPBACK.test(c.req.header("host") ?? "") ? new URL(c.req.url).origin : "https://your-server.example";

async function getProblem(c: Ctx): Promise<Answer> {
  const code = c.req.param("code") ?? "";
  if (!isProblemCode(code)) return fail("route_not_found", "There is no problem with this name.");
  const text = (await c.get("options").problem_page(code)) ?? fallbackPage(code);
  if (!(c.req.header("accept") ?? "").includes("text/html")) return c.text(text, 200);
  return respondPage(c, htmlPage(code, renderMarkdown(text)));
}

const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEMS, text);

/** For hosts that do not include the documentation pages. */
function fallbackPage(code: ProblemCode): string {
  const { status, retry, hint } = PROBLEMS[code];
  return `# ${code}\n\nStatus ${status}, retry: ${retry}.\n\n## What to do\n${hint}\n`;
}

function respondPage(c: Ctx, page: string): Answer {
  c.header("content-security-policy", DOCS_PAGE_CSP);
  return c.html(page);
}
