// Sends an e-mail through a mail server. The guarantee: a failure says whether the mail can have been sent.
import type { Result } from "../../schema/problem.ts";

export type Mail = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a mail server or a reader recognizes a repeated mail. */
  readonly message_id: string;
};

export interface Mailer {
  /** `tool_refused`: it was not sent. `outcome_unknown`: the server may have accepted it. */
  send(mail: Mail, signal: AbortSignal): Promise<Result<void>>;
}
