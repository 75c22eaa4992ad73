// Sends e-mails over SMTP. The connection is encrypted, except to a server on this machine.
import { Socket } from "node:net";
import { createTransport } from "nodemailer";
import type { Mail, Mailer } from "../ports/data/mailer.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";

export type SmtpAddress = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** True for TLS from the start, false for STARTTLS. */
  readonly secure: boolean;
};

const TIMEOUT_MS = 30_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);

/** The URL has the form smtps://user:password@host:465. No message repeats it, because it contains a password. */
export function readSmtpUrl(text: string, variable: string): Result<SmtpAddress> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    return fail("config_invalid", `${variable} must be an address such as smtps://user:password@host:465.`);
  const secure = url.protocol === "smtps:";
  return ok({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    user: decode(url.username),
    password: decode(url.password),
    secure,
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const createSmtpMailer = ({ host, port, user, password, secure }: SmtpAddress): Mailer => ({
  async send({ from, to, subject, text, message_id }: Mail, signal) {
    // Each mail uses its own socket, because closing the transport would neither close the connection nor stop a mail
    // that is being sent.
    const socket = new Socket();
    const transport = createTransport({
      ...{ host, port, secure, socket, requireTLS: !secure && !LOOPBACK.has(host) },
      ...(user === "" ? {} : { auth: { user, pass: password } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // The body is always literal text. It is never a path or a URL from which content would be read into the mail.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const stop = (): void => void socket.destroy();
    signal.addEventListener("abort", stop, { once: true });
    try {
      // The addresses are objects, because a string would be parsed as a list of addresses.
      const addresses = { from: { name: "", address: from }, to: { name: "", address: to } };
      await transport.sendMail({ ...addresses, subject, text, messageId: message_id });
      return ok(undefined);
    } catch (error) {
      return failed(error);
    } finally {
      signal.removeEventListener("abort", stop);
      socket.destroy();
    }
  },
});

const NOT_SENT_CODES = new Set(["EAUTH", "EENVELOPE", "EDNS", "ETLS", "EREQUIRETLS"]);
/** After a status outside this range, it is unknown whether the server accepted the mail. */
const isRefusal = (status: number): boolean => status >= 400 && status <= 599;

/** Shows only the status code, because the server's messages can name users and hosts of the operator. */
function failed(error: unknown): Failed {
  if (!(error instanceof Error)) throw error;
  const { code, responseCode, syscall } = error as NodeJS.ErrnoException & { responseCode?: number };
  if (code === "EAUTH") return fail("tool_refused", "The mail server did not accept the credentials of the channel.");
  if (responseCode !== undefined && isRefusal(responseCode))
    return fail("tool_refused", `The mail server refused the mail (${responseCode}).`);
  if (syscall === "connect" || NOT_SENT_CODES.has(code ?? ""))
    return fail("tool_refused", "The mail server cannot be reached, or offers no encryption.");
  return fail("outcome_unknown", "The mail server gave no answer; the mail may have been sent.");
}
