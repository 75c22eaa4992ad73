// Renders the HTML pages of the server in one style, light or dark, without external resources or scripts.
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Allows inline styles only: no scripts, images or fonts, and nothing from other origins. */
export const DOCS_PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --mark: light-dark(#06703f, #4ade9a); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
section { overflow-x: auto; margin: 1.5rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem; }
section h3 { margin-top: 0; overflow-wrap: break-word; }
code, pre { font: .9em/1.45 ui-monospace, monospace; } pre { background: var(--soft); padding: .8rem; border-radius: .4rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
.method { color: var(--mark); font-weight: 700; } .soft { opacity: .75; } a { color: inherit; } nav li { margin: .15rem 0; }
`;

export const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>\n`;

/** Drops the targets of links, because they do not exist on this server. */
export const inlineMarkdown = (text: string): string =>
  escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");

/** Supports the Markdown that problem pages use: headings, paragraphs, tables and fenced examples. */
export function renderMarkdown(text: string): string {
  const parts = text.split(/^```\w*\n([\s\S]*?)^```$/m);
  return parts.map((part, i) => (i % 2 === 1 ? `<pre>${escapeHtml(part)}</pre>` : renderBlocks(part))).join("\n");
}

const renderBlocks = (text: string): string =>
  text
    .split(/\n{2,}|(?<=^#[^\n]*)\n/m)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map(renderBlock)
    .join("\n");

function renderBlock(block: string): string {
  const [, hashes, heading] = /^(#{1,3}) (.*)$/.exec(block) ?? [];
  if (hashes) return `<h${hashes.length}>${inlineMarkdown(heading ?? "")}</h${hashes.length}>`;
  if (!block.startsWith("|")) return `<p>${inlineMarkdown(block)}</p>`;
  const [head = "", , ...rows] = block.split("\n");
  return `<table>${tableRow(head, "th")}${rows.map((row) => tableRow(row, "td")).join("")}</table>`;
}

const tableRow = (line: string, tag: string): string =>
  `<tr>${line
    .split("|")
    .slice(1, -1)
    .map((cell) => `<${tag}>${inlineMarkdown(cell.trim())}</${tag}>`)
    .join("")}</tr>`;
