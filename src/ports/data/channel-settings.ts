// Channels over which agents send texts to people, as the operator configured them.
export type Watermark = "none" | "suffix" | "zero-width";

export type ChannelSettings = {
  /** `desktop`: a worker at a desktop types the text into an app. `webhook`: a registered webhook gets it. */
  readonly kind: "desktop" | "webhook";
  /** The app of a desktop channel, or the name of the webhook. */
  readonly target: string;
  readonly reply: { readonly enabled: boolean };
  /** Marks texts as written by an agent. */
  readonly watermark: Watermark;
  /** What the watermark `suffix` appends. */
  readonly suffix: string;
  /** How long a call waits for the worker. */
  readonly wait_s: number;
};

export type Channels = Readonly<Record<string, ChannelSettings>>;
