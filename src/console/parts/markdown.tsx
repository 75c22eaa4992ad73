// Renders Markdown as elements. No HTML is ever parsed or inserted: markup in the text stays text, and links can open
// only web pages and mail addresses.

import { type Child, type FC, memo, useState } from "hono/jsx/dom";
import { Lexer, type Token, type Tokens } from "marked";
import { t } from "../messages/messages.ts";
import { Button, SCROLLABLE } from "./components.tsx";
import { copyText } from "./copy-text.ts";
import { Table } from "./table.tsx";

const MarkdownText: FC<{ text: string }> = ({ text }) => (
  <div class="markdown">{renderAll(Lexer.lex(text, { gfm: true, breaks: true }))}</div>
);

export const Markdown = memo(MarkdownText);

const renderAll = (tokens: readonly Token[] | undefined): Child[] =>
  (tokens ?? []).map((token, i) => <Element key={`${i}:${token.type}`} token={token} />);

const Element: FC<{ token: Token }> = ({ token }) => {
  switch (token.type) {
    case "heading":
      return <p class="markdown-heading">{renderAll(token.tokens)}</p>;
    case "paragraph":
      return <p>{renderAll(token.tokens)}</p>;
    case "blockquote":
      return <blockquote>{renderAll(token.tokens)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return renderTable(token as Tokens.Table);
    case "code":
      return <CodeBlock code={token.text} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return <Inline token={token} />;
  }
};

const Inline: FC<{ token: Token }> = ({ token }) => {
  switch (token.type) {
    case "strong":
      return <strong>{renderAll(token.tokens)}</strong>;
    case "em":
      return <em>{renderAll(token.tokens)}</em>;
    case "del":
      return <del>{renderAll(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={token.href}>{renderAll(token.tokens)}</Link>;
    case "image":
      // Loading an image would tell another server that the text is being read.
      return <Link href={token.href}>{token.text || token.href}</Link>;
    case "text":
      return <>{token.tokens ? renderAll(token.tokens) : decodeEntities(token.text)}</>;
    case "escape":
      return <>{token.text}</>;
    default:
      return <>{token.raw}</>;
  }
};

const Link: FC<{ href: string; children?: Child }> = ({ href, children }) =>
  isSafeLink(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );

const SAFE_PROTOCOLS = ["http:", "https:", "mailto:"];

/** Accepts only absolute URLs, because a relative one would lead into the console. */
function isSafeLink(href: string): boolean {
  try {
    return SAFE_PROTOCOLS.includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

const List: FC<{ list: Tokens.List }> = ({ list }) => {
  const items = list.items.map((item, i) => (
    <li key={i}>
      {item.task ? <input type="checkbox" disabled checked={item.checked ?? false} aria-label={item.text} /> : null}
      {renderAll(item.tokens.filter((token) => token.type !== "checkbox"))}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
};

function renderTable({ header, rows }: Tokens.Table) {
  const cells = (row: readonly Tokens.TableCell[]): Child[] => row.map(({ tokens }) => <>{renderAll(tokens)}</>);
  return <Table label={t().results.table} columns={cells(header)} rows={rows.map(cells)} />;
}

const COPIED_MS = 1500;

const CodeBlock: FC<{ code: string }> = ({ code }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="code-block">
      <pre {...SCROLLABLE}>{code}</pre>
      <Button class="small copy-button" onClick={() => void copy()}>
        {copied ? t().common.copied : t().common.copy}
      </Button>
    </div>
  );
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
};

/** Decodes HTML entities, which the parser leaves to the browser. */
const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
