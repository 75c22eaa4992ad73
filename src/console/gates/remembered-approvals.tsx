// The list of remembered approvals of a thread, each with a button that revokes it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import { VisibleText } from "../parts/components.tsx";

type Approval = ThreadView["remembered_approvals"][number];

export const RememberedApprovals: FC<{ thread: ThreadView; session: Session }> = ({ thread, session }) => {
  const approvals = thread.remembered_approvals;
  if (approvals.length === 0) return null;
  return (
    <section class="remembered" aria-label="Remembered approvals">
      <h2>Remembered approvals</h2>
      <ul>
        {approvals.map((approval) => (
          <li key={approval.id} class="row">
            <span>
              <code>{approval.tool}</code> <VisibleText text={approval.shown} />
              <span class="quiet small"> {describe(approval)}</span>
            </span>
            <button
              type="button"
              class="link"
              onClick={() => void session.send({ type: "revoke", approval_id: approval.id })}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};

function describe({ match, remember, actor, active }: Approval): string {
  const what = match.kind === "prefix" ? "commands that begin like this" : "exactly this call";
  const how = active ? "" : ", no longer valid";
  return `${what}, for this ${remember}, approved by ${actor}${how}`;
}
