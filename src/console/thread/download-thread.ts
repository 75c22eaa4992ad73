// Saves an exported thread as a file.
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";

/**
 * Downloads the thread. Returns the problem if the server refuses, for example because the caller lacks the scope
 * `admin`.
 */
export async function downloadThread(api: Api, id: string): Promise<Problem | null> {
  // If the connection is lost, the page already shows it.
  const response = await api.exportThread(id).catch(() => null);
  if (!response?.ok) return (await response?.json()) ?? null;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${id}.jsonl`;
  link.click();
  URL.revokeObjectURL(link.href);
  return null;
}
