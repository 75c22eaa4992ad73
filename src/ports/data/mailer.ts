// Defines how to send an e-mail through a mail server. The adapter guarantees that a failure says whether the mail may have been sent.
import type { Result } from "../../schema/problem.ts";

export type Mail = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Id that is the same for every attempt, so that a mail server or a reader recognizes a repeated mail. */
  readonly message_id: string;
};

export interface Mailer {
  /** Fails with `tool_refused` if the mail was not sent, or with `outcome_unknown` if the server may have accepted it. */
  send(mail: Mail, signal: AbortSignal): Promise<Result<void>>;
}
