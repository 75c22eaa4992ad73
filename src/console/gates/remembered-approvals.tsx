// Lists the remembered approvals of a thread, each with a button that revokes it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import { t } from "../messages/messages.ts";
import { TextButton, VisibleText } from "../parts/components.tsx";

type Approval = ThreadView["remembered_approvals"][number];

export const RememberedApprovals: FC<{ thread: ThreadView; session: Session }> = ({ thread, session }) => {
  const approvals = thread.remembered_approvals;
  if (approvals.length === 0) return null;
  return (
    <section class="remembered" aria-label={t().gates.approvals}>
      <h2>{t().gates.approvals}</h2>
      <ul>
        {approvals.map((approval) => (
          <li key={approval.id} class="row">
            <span>
              <code>{approval.tool}</code> <VisibleText text={approval.shown} />
              <span class="quiet small"> {describe(approval)}</span>
            </span>
            <TextButton onClick={() => void session.send({ type: "revoke", approval_id: approval.id })}>
              {t().gates.revoke}
            </TextButton>
          </li>
        ))}
      </ul>
    </section>
  );
};

const describe = ({ match, remember, actor, active }: Approval): string =>
  t().gates.approvalFacts(match.kind === "prefix", remember, actor, active);
