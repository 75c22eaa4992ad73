// Sends an e-mail at most once. The queue records it before and after sending, because mail servers do not recognize a
// repeated e-mail.
import { isoTime } from "../../ports/clock.ts";
import type { EmailChannel } from "../../ports/data/channel-settings.ts";
import { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ToolContext } from "../../tools/define-tool.ts";
import type { DesktopQueue } from "./desktop-queue.ts";

const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}$/iu;
const WORKER = "server";

/** The dot keeps workers from claiming these tasks, because names of desktop apps cannot contain one. */
export const mailQueue = (channel: string): string => `email.${channel}`;

export type Email = {
  readonly channel: string;
  readonly settings: EmailChannel;
  readonly id: string;
  readonly to: string | null;
  readonly subject: string | null;
  readonly text: string;
};

export function recipientOf({ recipients }: EmailChannel, to: string | null): Result<string> {
  const address = to ?? recipients.find((entry) => !entry.startsWith("@"));
  if (address === undefined) return fail("tool_refused", "Name the e-mail address to send it to.");
  if (!ADDRESS.test(address)) return fail("tool_refused", "This is not one e-mail address.");
  const lower = address.toLowerCase();
  const domain = lower.slice(lower.lastIndexOf("@"));
  const allowed = recipients.some((entry) => [lower, domain].includes(entry.toLowerCase()));
  return allowed ? ok(address) : fail("tool_refused", "The channel may not send to this address.");
}

export async function sendEmail(queue: DesktopQueue, email: Email, context: ToolContext): Promise<Result<void>> {
  const { channel, settings, id, text } = email;
  const to = recipientOf(settings, email.to);
  if (!to.ok) return to;
  const tenant = TenantId.parse(context.tenant);
  const app = mailQueue(channel);
  const { agent, thread } = context;
  const created_at = isoTime(context.now());
  const added = await queue.add(tenant, { id, app, channel, to: to.value, text, agent, thread, created_at });
  if (!added.ok) return added;
  if (added.value.state === "done") return ok(undefined);
  // From now on, only the response of the mail server shows whether the e-mail was sent.
  const begun = await queue.begin(tenant, { id, app, worker: WORKER });
  if (!begun.ok && begun.problem.code !== "task_not_claimed") return begun;
  if (!begun.ok) return fail("outcome_unknown", "The e-mail was started before, so it may have been sent.");
  const { from, subject } = settings;
  const message_id = `<${id}@pawl>`;
  const mail = { from, to: to.value, subject: email.subject ?? subject, text, message_id };
  const sent = await settings.mailer.send(mail, context.signal);
  if (!sent.ok && sent.problem.code === "outcome_unknown") return sent;
  const state = sent.ok ? "done" : "failed";
  const reported = await queue.report(tenant, { id, app, worker: WORKER, state, reason: sent.ok ? null : "refused" });
  // The e-mail counts as sent even if this could not be recorded.
  return sent.ok || reported.ok ? sent : reported;
}
