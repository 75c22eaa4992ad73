// Replaces the signing secret of a webhook, and shows the new one once.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem, Result } from "../../schema/problem.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton } from "../parts/components.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { SecretOnce } from "./secret-once.tsx";

export const RotateSecret: FC<{ rotate: () => Promise<Result<{ readonly secret: string }>> }> = ({ rotate }) => {
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const replace = async (): Promise<void> => {
    const rotated = await rotate();
    setProblem(rotated.ok ? null : rotated.problem);
    if (rotated.ok) setSecret(rotated.value.secret);
  };
  return (
    <div>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
      {secret ? (
        <SecretOnce key="secret" values={[[t().webhooks.form.secret, secret]]} onDone={() => setSecret("")} />
      ) : null}
      <ConfirmButton
        key="rotate"
        class="button small"
        label={t().webhooks.rotate}
        confirmLabel={t().webhooks.confirmRotate}
        onConfirm={() => void replace()}
      />
    </div>
  );
};
