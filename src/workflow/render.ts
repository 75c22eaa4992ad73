// Renders the Liquid templates of edges. They can read only own properties and no files, within limits on time and memory. Pure for the same input.
import { Liquid } from "liquidjs";
import { fail, ok, type Result } from "../schema/problem.ts";

/** The allowed tags. Any other tag could read files, the clock or random numbers, or has no use in a prompt. */
const TAGS = ["assign", "break", "capture", "case", "comment", "continue", "for", "if", "raw", "unless"];
const FILTERS = [
  "append",
  "capitalize",
  "compact",
  "default",
  "divided_by",
  "downcase",
  "escape",
  "first",
  "floor",
  "join",
  "json",
  "last",
  "lstrip",
  "map",
  "minus",
  "newline_to_br",
  "plus",
  "prepend",
  "remove",
  "replace",
  "reverse",
  "round",
  "rstrip",
  "size",
  "slice",
  "sort",
  "split",
  "strip",
  "strip_newlines",
  "times",
  "truncate",
  "truncatewords",
  "uniq",
  "upcase",
  "url_encode",
  "where",
];

export const RENDERED_CHARS_MAX = 65_536;

function createEngine(strictVariables: boolean): Liquid {
  const engine = new Liquid({
    strictVariables,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: 300_000,
    // Limit in milliseconds. It is far above the time of any template that ends, so that a busy machine chooses the same role.
    renderLimit: 1_000,
    memoryLimit: 2_000_000,
  });
  for (const name of Object.keys(engine.tags)) if (!TAGS.includes(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) if (!FILTERS.includes(name)) delete engine.filters[name];
  return engine;
}

const strictEngine = createEngine(true);
const lenientEngine = createEngine(false);

/** With `strict`, a missing variable is an error; otherwise it renders as an empty string. */
export function renderTemplate(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  { strict }: { readonly strict: boolean },
): Result<string> {
  try {
    const text = String((strict ? strictEngine : lenientEngine).parseAndRenderSync(template, { ...variables }));
    if (text.length > RENDERED_CHARS_MAX)
      return fail("route_template", `The template renders to more than ${RENDERED_CHARS_MAX} characters.`);
    return ok(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail("route_template", message.split("\n")[0] ?? message);
  }
}
