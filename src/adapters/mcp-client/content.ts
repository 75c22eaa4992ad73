// Converts the content of an MCP result to text. Images and sound are named but not included.
type Block = Readonly<Record<string, unknown>>;

export function textOf(content: readonly Block[] = [], structured: unknown): string {
  const text = content.map(blockText).join("\n");
  return text === "" && structured !== undefined ? JSON.stringify(structured, null, 1) : text;
}

function blockText(block: Block): string {
  if (block.type === "text") return String(block.text);
  if (block.type === "resource_link") return `${String(block.name ?? "")} ${String(block.uri)}`.trim();
  if (block.type === "resource") {
    const { uri, text } = (block.resource ?? {}) as Block;
    return text === undefined ? `[resource ${String(uri)}]` : String(text);
  }
  const bytes = typeof block.data === "string" ? Math.floor((block.data.length * 3) / 4) : 0;
  return `[${String(block.type)} ${String(block.mimeType ?? "")}, ${bytes} bytes]`;
}
