// Saves an exported thread as a file.
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { saveFile } from "../parts/save-file.ts";

/** Returns the problem if the server refuses, for example because the caller lacks the scope `admin`. */
export async function downloadThread(api: Api, id: string): Promise<Problem | null> {
  // If the connection is lost, the page already shows it.
  const response = await api.exportThread(id).catch(() => null);
  if (!response?.ok) return (await response?.json()) ?? null;
  saveFile(await response.blob(), `${id}.jsonl`);
  return null;
}
