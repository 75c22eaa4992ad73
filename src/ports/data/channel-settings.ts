// Defines the channels over which agents send messages to people, as configured by the operator.
import type { Mailer } from "./mailer.ts";

type CommonSettings = {
  readonly reply: { readonly enabled: boolean };
  /** Marks messages as written by an agent. */
  readonly watermark: "none" | "suffix" | "zero-width";
  readonly suffix: string;
};

export type DesktopChannel = CommonSettings & {
  readonly kind: "desktop";
  readonly target: string;
  /** How long a call waits for the worker. */
  readonly wait_s: number;
};
export type WebhookChannel = CommonSettings & {
  readonly kind: "webhook";
  readonly target: string;
};
export type EmailChannel = CommonSettings & {
  readonly kind: "email";
  readonly from: string;
  /** Addresses, or "@domain" for all addresses of a domain. The first address is used if the call names none. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly mailer: Mailer;
};

export type ChannelSettings = DesktopChannel | WebhookChannel | EmailChannel;
export type Channels = Readonly<Record<string, ChannelSettings>>;
