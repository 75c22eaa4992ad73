// Saves an exported thread as a file.
import type { Api } from "../client/api.ts";

/** False if the server refuses: exporting needs the scope `admin`. */
export async function downloadThread(api: Api, id: string): Promise<boolean> {
  const response = await api.exportThread(id).catch(() => null);
  if (!response?.ok) return false;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${id}.jsonl`;
  link.click();
  URL.revokeObjectURL(link.href);
  return true;
}
