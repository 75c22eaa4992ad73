// Imports a thread from an exported file, and opens it.
import type { FC } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Disclosure } from "../parts/components.tsx";
import { FileField } from "../parts/fields.tsx";
import { navigate, threadHref } from "./route.ts";

export const ImportThread: FC<{ api: Api }> = ({ api }) => {
  const importFile = async (file: File): Promise<Problem | null> => {
    const imported = await api.importThread(file);
    if (!imported.ok) return imported.problem;
    navigate(threadHref(imported.value.thread.id));
    return null;
  };
  return (
    <Disclosure class="import-form small" label={t().home.importTitle}>
      {() => <FileField label={t().home.importFile} note={t().home.importNote} accept=".jsonl" onFile={importFile} />}
    </Disclosure>
  );
};
