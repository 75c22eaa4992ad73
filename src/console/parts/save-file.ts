// Saves data as a file on the user's machine.
export function saveFile(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
