// Renders the page at /docs from the OpenAPI document alone.
import type { OpenApiDocument } from "../openapi/document.ts";
import type { Json } from "../openapi/json-schema.ts";
import { escapeHtml, htmlPage, inlineMarkdown } from "./html.ts";
import { fieldTables, typeLabel } from "./schema-tables.ts";

type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;
type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { name: string; in: string; description?: string; schema: Json }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
};

export function docsPage(document: OpenApiDocument, origin: string): string {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as OperationObject })),
  );
  const contents = routes.map(
    ({ method, path, operation }) =>
      `<li><a href="#${operation.operationId}"><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></a> ${inlineMarkdown(operation.summary)}</li>`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${fieldTables(schema)}</section>`,
  );
  return htmlPage(
    `${document.info.title} ${document.info.version}`,
    `<h1>${escapeHtml(document.info.title)} <span class="soft">${escapeHtml(document.info.version)}</span></h1>
<p>${inlineMarkdown(document.info.description)} For programs: <a href="/openapi.json">/openapi.json</a>.</p>
<p>The examples need a shell in which <code>PAWL</code> is the URL of this server and, where keys are configured, <code>PAWL_KEY</code> is one of them:</p>
<pre>export PAWL=${escapeHtml(origin)} PAWL_KEY=</pre>
<nav><h2>Routes</h2><ul>${contents.join("\n")}</ul></nav>
${routes.map(({ method, path, operation }) => routeSection(method, path, operation)).join("\n")}
<h2>Schemas</h2>${schemas.join("\n")}
<h2>Problems</h2>${problemTable(document)}`,
  );
}

function routeSection(method: string, path: string, operation: OperationObject): string {
  const body = operation.requestBody?.content["application/json"];
  const scope = operation.security[0]?.key?.[0];
  return `<section id="${operation.operationId}"><h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><b>${inlineMarkdown(operation.summary)}.</b> ${inlineMarkdown(operation.description ?? "")}</p>
<p class="soft">${scope ? `Needs the scope <code>${scope}</code>.` : "Needs no key."}</p>
${parameterTable(operation)}${body ? `<h4>Body</h4>${schemaFields(body.schema)}` : ""}
<pre>${escapeHtml(curlExample(method, path, body, scope !== undefined))}</pre>
<table><tr><th>status</th><th>response</th><th></th></tr>${responseRows(operation).join("")}</table></section>`;
}

/** A named schema is described once, at the end of the page. */
const schemaFields = (schema: Json): string => ("$ref" in schema ? `<p>${typeLabel(schema)}</p>` : fieldTables(schema));

function parameterTable({ parameters }: OperationObject): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    (field) =>
      `<tr><td><code>${escapeHtml(field.name)}</code> <span class="soft">${field.in}</span></td><td>${typeLabel(field.schema)}</td><td>${inlineMarkdown(field.description ?? "")}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

const responseRows = ({ responses }: OperationObject): readonly string[] =>
  Object.entries(responses).map(([status, { description, content }]) => {
    const types = Object.entries(content ?? {}).map(([type, { schema }]) => `${typeLabel(schema)} as ${type}`);
    return `<tr><td>${status}</td><td>${inlineMarkdown(description)}</td><td>${types.join("<br>")}</td></tr>`;
  });

/** Path parameters become shell variables in upper case. */
export function curlExample(
  method: string,
  path: string,
  body: Content[string] | undefined,
  needsKey: boolean,
): string {
  const parts = [`curl -s "$PAWL${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`];
  if (method !== "get" && !(method === "post" && body)) parts.push(`-X ${method.toUpperCase()}`);
  if (needsKey) parts.push('-H "authorization: Bearer $PAWL_KEY"');
  if (body) parts.push("-H 'content-type: application/json'", `-d '${JSON.stringify(body.example ?? {})}'`);
  return parts.join(" ");
}

function problemTable(document: OpenApiDocument): string {
  const problems = document["x-problems"] as Readonly<Record<string, { status: number; retry: string; hint: string }>>;
  const rows = Object.entries(problems).map(
    ([code, { status, retry, hint }]) =>
      `<tr><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${status}</td><td>${retry}</td><td>${inlineMarkdown(hint)}</td></tr>`,
  );
  return `<table><tr><th>code</th><th>status</th><th>retry</th><th>what to do</th></tr>${rows.join("")}</table>`;
}
