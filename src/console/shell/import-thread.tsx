// Imports a thread from an exported file, and opens it.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Disclosure } from "../parts/components.tsx";
import { FileField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { navigate, threadHref } from "./route.ts";

export const ImportThread: FC<{ api: Api }> = ({ api }) => {
  const [problem, setProblem] = useState<Problem | null>(null);
  const importFile = async (file: File): Promise<void> => {
    const imported = await api.importThread(file);
    setProblem(imported.ok ? null : imported.problem);
    if (imported.ok) navigate(threadHref(imported.value.thread.id));
  };
  return (
    <Disclosure class="import-form small" label={t().home.importTitle}>
      {() => (
        <>
          <FileField
            label={t().home.importFile}
            note={t().home.importNote}
            accept=".jsonl"
            onFile={(file) => void importFile(file)}
          />
          {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
        </>
      )}
    </Disclosure>
  );
};
