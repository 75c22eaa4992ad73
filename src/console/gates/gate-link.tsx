// Copies a link that answers the gate once. On other machines it works only if the server has a public URL.
import { type FC, useState } from "hono/jsx/dom";
import type { Gate } from "../../schema/gate.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Session } from "../client/session.ts";
import { t } from "../messages/messages.ts";
import { TextButton } from "../parts/components.tsx";
import { copyText } from "../parts/copy-text.ts";
import { ProblemCard } from "../parts/problem-card.tsx";

export const GateLink: FC<{ gate: Gate; session: Session }> = ({ gate, session }) => {
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const make = async (): Promise<void> => {
    const made = await session.gateLink(gate.id);
    setProblem(made.ok ? null : made.problem);
    if (!made.ok) return;
    setUrl(made.value.url);
    await copyText(made.value.url);
  };
  return (
    <div class="gate-link small">
      <TextButton onClick={() => void make()}>{url ? t().gates.linkCopied : t().gates.copyLink}</TextButton>
      {url ? <code key="url">{url}</code> : null}
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </div>
  );
};
