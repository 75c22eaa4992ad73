// The server about itself: the OpenAPI document, the same as a page, and a page for every problem.
import { PROBLEMS, type ProblemCode, problem } from "../../schema/problem.ts";
import { DOCS_PAGE_CSP, htmlPage, renderMarkdown } from "../docs/html.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

// Loaded when somebody asks: a server that starts for one turn should not pay for its documentation.
const loadDocument = async (c: Ctx) => {
  const { openApiDocument } = await import("../openapi/document.ts");
  const { routes, release } = c.get("options");
  return openApiDocument(routes, release);
};

export const getOpenApi = async (c: Ctx): Promise<Response> => c.json(await loadDocument(c));

export async function getDocs(c: Ctx): Promise<Response> {
  const { docsPage } = await import("../docs/docs-page.ts");
  return respondPage(c, docsPage(await loadDocument(c), new URL(c.req.url).origin));
}

export async function getProblem(c: Ctx): Promise<Response> {
  const code = c.req.param("code") ?? "";
  if (!isProblemCode(code)) return respondProblem(c, problem("route_not_found", "There is no problem of this name."));
  const text = (await c.get("options").problem_page(code)) ?? fallbackPage(code);
  if (!(c.req.header("accept") ?? "").includes("text/html")) return c.text(text);
  return respondPage(c, htmlPage(code, renderMarkdown(text)));
}

const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEMS, text);

/** All that the table says, for hosts that have not brought the pages along. */
function fallbackPage(code: ProblemCode): string {
  const { status, retry, hint } = PROBLEMS[code];
  return `# ${code}\n\nStatus ${status}, retry: ${retry}.\n\n## What to do\n${hint}\n`;
}

function respondPage(c: Ctx, page: string): Response {
  c.header("content-security-policy", DOCS_PAGE_CSP);
  return c.html(page);
}
