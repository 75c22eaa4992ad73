// Triggers a registered external endpoint with a signed POST. The request carries the id of the effect, so that the
// receiver can ignore repeats.
import * as z from "zod";
import { type Backoff, backoffMs } from "../../ports/backoff.ts";
import { type Clock, isoTime } from "../../ports/clock.ts";
import type { Triggers } from "../../ports/triggers.ts";
import { TenantId } from "../../schema/ids.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";

const TRIES_MAX = 3;
const RETRY: Backoff = { first_ms: 1_000, max_ms: 4_000, factor: 4 };
const PAYLOAD_CHARS_MAX = 65_536;

const Input = z.object({
  target: z.string().min(1).max(64).describe("name of the webhook"),
  type: z
    .string()
    .regex(/^[a-z0-9_.]{1,64}$/, "small letters, digits, . and _")
    .optional()
    .describe("event type, such as invoice.approved"),
  payload: z.record(z.string(), z.unknown()).describe("the data to send"),
});
const Output = z.object({ target: z.string(), id: z.string(), status: z.int(), tries: z.int() });

export const remoteTrigger = (triggers: Triggers, clock: Clock): Tool =>
  defineTool(
    {
      name: "remote_trigger",
      description: "Send an event to a registered webhook of another system.",
      toolset: "web",
      category: "web",
      permission: "EXTERNAL",
      scope: "NETWORK",
      effect: "keyed",
      outward: true,
      subagent_allowed: false,
      timeout_ms: 60_000,
      tags: ["network"],
      input: Input,
      output: Output,
      check: (input, context) => refusal(triggers, input, context),
      render: ({ target, status, tries }) => `${target} answered ${status}${tries > 1 ? ` at try ${tries}` : ""}.`,
      examples: [
        {
          arguments: { target: "billing", type: "invoice.approved", payload: { invoice: 7 } },
          result: "billing answered 202.",
        },
      ],
    },
    async (input, context) => {
      const refused = await refusal(triggers, input, context);
      if (refused) return refused;
      const tenant = TenantId.parse(context.tenant);
      const identity = { target: input.target, id: context.idempotency_key ?? context.operation_id };
      const body = bodyOf(input, context);
      return sendWithRetries(
        context,
        clock,
        (signal) => triggers.send(tenant, { ...identity, body, signal }),
        identity,
      );
    },
  );

type Input = z.infer<typeof Input>;

const bodyOf = ({ type = "trigger", payload }: Input, { thread, turn, now }: ToolContext): string =>
  JSON.stringify({ type, timestamp: isoTime(now()), data: { thread, turn, payload } });

async function refusal(triggers: Triggers, input: Input, context: ToolContext): Promise<Failed | null> {
  const known = await triggers.targets(TenantId.parse(context.tenant));
  if (!known.ok) return known;
  const { target } = input;
  if (!known.value.includes(target))
    return fail("tool_refused", `There is no target ${target}; known: ${known.value.join(", ") || "none"}.`);
  const isTooLong = bodyOf(input, context).length > PAYLOAD_CHARS_MAX;
  return isTooLong ? fail("tool_refused", "The payload is larger than 64 KB.") : null;
}

type SendResult = Result<{ readonly status: number }>;

/** Retries without a response, or after 429 or 5xx. This is safe because the receiver recognizes the id. */
async function sendWithRetries(
  { signal }: ToolContext,
  clock: Clock,
  send: (signal: AbortSignal) => Promise<SendResult>,
  identity: { readonly target: string; readonly id: string },
) {
  for (let tries = 1; ; tries++) {
    const sent = await send(signal);
    if (sent.ok && sent.value.status < 300) return { ...identity, status: sent.value.status, tries };
    if (tries === TRIES_MAX || !isRetryable(sent)) return sendFailure(identity.target, sent, tries);
    await clock.sleep(backoffMs(RETRY, tries, 0), signal);
  }
}

const isRetryable = (sent: SendResult): boolean =>
  sent.ok ? sent.value.status === 429 || sent.value.status >= 500 : sent.problem.code !== "blocked_address";

/** Without a response, the outcome is unknown, unless the address was blocked before anything was sent. */
function sendFailure(target: string, sent: SendResult, tries: number) {
  if (sent.ok) return fail("tool_refused", `${target} answered ${sent.value.status}. Attempts: ${tries}.`);
  const code = isRetryable(sent) ? "outcome_unknown" : "tool_refused";
  const reason = `${target} could not be reached (${sent.problem.code}).`;
  return fail(code, `${reason} Attempts: ${tries}. The request may have arrived.`);
}
