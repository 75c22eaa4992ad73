// Sends a text message to a person over a configured channel. The message carries the id of the effect, so that the text is
// sent only once.
import * as z from "zod";
import { type Clock, isoTime } from "../../ports/clock.ts";
import type { ChannelSettings, Channels, DesktopChannel, WebhookChannel } from "../../ports/data/channel-settings.ts";
import type { Triggers } from "../../ports/triggers.ts";
import { TenantId } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import type { DesktopQueue, DesktopTask } from "./desktop-queue.ts";
import { mailQueue, recipientOf, sendEmail } from "./send-email.ts";

const POLL_MS = 500;
const WAIT_MAX_S = 120;
const TEXT_CHARS_MAX = 4_000;

const Input = z.object({
  text: z.string().trim().min(1).max(TEXT_CHARS_MAX).describe("the text"),
  channel: z.string().max(64).optional().describe("the name of a channel, if the thread has none of its own"),
  to: z.string().min(1).max(200).optional().describe("the person, group or e-mail address"),
  subject: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}]*$/u, "must be one line")
    .optional()
    .describe("of an e-mail"),
});
type Input = z.infer<typeof Input>;
const Output = z.object({ channel: z.string(), id: z.string() });

export type ChannelParts = {
  readonly channels: Channels;
  readonly queue: DesktopQueue;
  readonly clock: Clock;
  readonly triggers?: Triggers;
};

export const sendText = (parts: ChannelParts, name = "channel_send_text", toolset = "channels"): Tool =>
  defineTool(
    {
      name,
      description: "Send a message to a person or a group over a channel of this server.",
      toolset,
      category: "channels",
      permission: "EXTERNAL",
      scope: "NETWORK",
      effect: "keyed",
      requires_confirmation: true,
      outward: true,
      timeout_ms: (WAIT_MAX_S + 10) * 1_000,
      tags: ["network", "channel"],
      prompt_hint:
        "the channel of the conversation is used before the argument; send one message, and do not repeat it.",
      input: Input,
      output: Output,
      render: ({ channel }) => `Sent over ${channel}.`,
      check: ({ channel, to }, context) => {
        const found = channelOf(parts.channels, channel, context);
        if (!found.ok) return found;
        const { settings } = found.value;
        const recipient = settings.kind === "email" ? recipientOf(settings, to ?? null) : ok("");
        return recipient.ok ? null : recipient;
      },
      reconcile: (input, key, context) => reconcile(parts, input, key, context),
      examples: [{ arguments: { text: "The report is ready.", to: "Sales" }, result: "Sent over team." }],
    },
    (input, context) => send(parts, input, context),
  );

type Found = { readonly name: string; readonly settings: ChannelSettings };

/** Prefers the channel with which the thread was created, so that an agent can answer only where it was asked. */
function channelOf(channels: Channels, argument: string | undefined, { metadata }: ToolContext): Result<Found> {
  const name = typeof metadata.channel === "string" ? metadata.channel : argument;
  if (name === undefined) return fail("tool_refused", "The thread has no channel; name one.");
  const settings = Object.hasOwn(channels, name) ? channels[name] : undefined;
  if (!settings) return fail("tool_refused", `There is no channel named ${name.slice(0, 64)}.`);
  if (!settings.reply.enabled) return fail("tool_refused", `Replies over ${name} are switched off (reply.enabled).`);
  return ok({ name, settings });
}

const keyOf = ({ idempotency_key, operation_id }: ToolContext): string => idempotency_key ?? operation_id;

async function send(parts: ChannelParts, input: Input, context: ToolContext): Promise<z.infer<typeof Output> | Failed> {
  const found = channelOf(parts.channels, input.channel, context);
  if (!found.ok) return found;
  const { name, settings } = found.value;
  const id = keyOf(context);
  const text = withWatermark(input.text, settings);
  const sent = await sendBy(parts, { channel: name, settings, id, text, to: input.to ?? null }, input, context);
  return sent.ok ? { channel: name, id } : sent;
}

type Message<S extends ChannelSettings = ChannelSettings> = {
  readonly channel: string;
  readonly settings: S;
  readonly id: string;
  readonly text: string;
  readonly to: string | null;
};

function sendBy(
  parts: ChannelParts,
  { settings, ...message }: Message,
  { subject }: Input,
  context: ToolContext,
): Promise<Result<void>> {
  switch (settings.kind) {
    case "desktop":
      return sendByDesktop(parts, { ...message, settings }, context);
    case "webhook":
      return sendByWebhook(parts, { ...message, settings }, context);
    case "email":
      return sendEmail(parts.queue, { ...message, settings, subject: subject ?? null }, context);
  }
}

async function sendByDesktop(
  { queue, clock }: ChannelParts,
  { channel, settings, id, text, to }: Message<DesktopChannel>,
  context: ToolContext,
): Promise<Result<void>> {
  const tenant = TenantId.parse(context.tenant);
  const { agent, thread } = context;
  const created_at = isoTime(context.now());
  const added = await queue.add(tenant, { id, app: settings.target, channel, to, text, agent, thread, created_at });
  if (!added.ok) return added;
  const until = clock.now() + settings.wait_s * 1_000;
  let task: DesktopTask | null = added.value;
  while (task && task.state !== "done" && task.state !== "failed" && clock.now() < until && !context.signal.aborted) {
    await clock.sleep(POLL_MS, context.signal);
    const looked = await queue.find(tenant, settings.target, id);
    if (looked.ok) task = looked.value;
  }
  if (task?.state === "done") return ok(undefined);
  if (task?.state === "failed")
    return fail("tool_refused", `The desktop worker did not send it: ${task.reason ?? "failed"}.`);
  return fail("outcome_unknown", `No desktop worker has sent it within ${settings.wait_s} s; it stays in the queue.`);
}

async function sendByWebhook(
  { triggers }: ChannelParts,
  { channel, settings, id, text, to }: Message<WebhookChannel>,
  context: ToolContext,
): Promise<Result<void>> {
  if (!triggers) return fail("tool_refused", "This host has no webhooks.");
  const data = { channel, to, text, agent: context.agent, thread: context.thread };
  const body = JSON.stringify({ type: "channel.text", timestamp: isoTime(context.now()), data });
  const message = { target: settings.target, id, body, signal: context.signal };
  const sent = await triggers.send(TenantId.parse(context.tenant), message);
  // Without a response, the message may still have been received.
  if (!sent.ok && sent.problem.code === "fetch_failed")
    return fail("outcome_unknown", `The webhook of ${channel} gave no response; the text may have arrived.`);
  if (!sent.ok) return sent;
  const { status } = sent.value;
  return status >= 200 && status < 300 ? ok(undefined) : fail("tool_refused", `The webhook answered ${status}.`);
}

/** A task that is still waiting in the queue may be sent later. */
async function reconcile({ channels, queue }: ChannelParts, input: Input, key: string, context: ToolContext) {
  const found = channelOf(channels, input.channel, context);
  if (!found.ok || found.value.settings.kind === "webhook") return null;
  const { name, settings } = found.value;
  const app = settings.kind === "email" ? mailQueue(name) : settings.target;
  const task = await queue.find(TenantId.parse(context.tenant), app, key);
  if (!task.ok || task.value === null) return null;
  if (task.value.state === "done") return { happened: true, output: { channel: name, id: key } };
  return task.value.state === "failed" ? { happened: false } : null;
}

/** Word joiners and zero-width spaces, which are invisible to people but can be detected by a program. */
const ZERO_WIDTH = "\u2060\u200b\u2060\u200b\u200b\u2060";

/** Marks text as written by an agent. */
export function withWatermark(
  text: string,
  { watermark, suffix }: Pick<ChannelSettings, "watermark" | "suffix">,
): string {
  switch (watermark) {
    case "none":
      return text;
    case "suffix":
      return `${text}${suffix}`;
    case "zero-width":
      return `${text}${ZERO_WIDTH}`;
  }
}
