// Applies an agent's escalation rules: renders them for the model, and refuses the calls that they forbid.
import type { Manifest } from "../../schema/manifest.ts";
import type { EscalationRule } from "../../schema/workflow/escalation.ts";

type Rules = readonly EscalationRule[];

export function escalationText(rules: Rules): string | null {
  if (rules.length === 0) return null;
  const lines = rules.map(
    ({ when, to, must, tools }) =>
      `- ${must ? "You must" : "You may"} hand over to ${to} when ${when}${tools.length > 0 ? `, instead of calling ${tools.join(", ")}` : ""}.`,
  );
  return ["Rules for escalate; its argument to names who takes over:", ...lines].join("\n");
}

/** Rules only add refusals: they never allow a call that would otherwise be refused. */
export function escalationRefusal(
  rules: Rules,
  { name, tags }: Pick<Manifest, "name" | "tags">,
  args: Record<string, unknown>,
): string | null {
  const rule = rules.find(({ tools }) => tools.includes(name));
  if (rule) return `${name} is left to ${rule.to}: ${rule.when}. Call escalate with to: ${JSON.stringify(rule.to)}.`;
  if (rules.length === 0 || !tags.includes("escalates")) return null;
  const names = [...new Set(rules.map(({ to }) => to))];
  if (typeof args.to === "string" && names.includes(args.to)) return null;
  return `to: must be one of ${names.map((one) => JSON.stringify(one)).join(", ")}.`;
}
