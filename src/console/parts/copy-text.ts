// Copies text to the clipboard, even on pages without https, where the clipboard API does not exist.
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).catch(() => copySelected(text));
  copySelected(text);
}

function copySelected(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
