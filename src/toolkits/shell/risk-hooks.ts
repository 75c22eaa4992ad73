// Defines the hooks that ask before a risky command, and before a command that needs the network. They are part of the
// shell tools and can guard other tools by name.
import type { CommandPlaces } from "../../ports/operations.ts";
import type { Hook } from "../../tools/hooks.ts";
import type { ClassifyOptions } from "./risk/classify.ts";
import {
  APPLIES_TO_PREFIX,
  type CommandRisk,
  DESTRUCTIVE,
  MAX_REASONS,
  RISKS,
  type RiskReason,
} from "./risk/reasons.ts";

const REASONS_SHOWN_MAX = 4;

/** Loads a classifier on demand, because many processes never judge a command. */
export type Classifier = () => Promise<(command: string, options: ClassifyOptions) => CommandRisk>;
export const bashClassifier: Classifier = async () => (await import("./risk/classify.ts")).classifyCommand;

/** Checks the argument `command` in the folder that the argument `folder` names. */
export const commandRisk = (
  filter_names: readonly string[] = ["bash"],
  places?: CommandPlaces,
  classifier: Classifier = bashClassifier,
): Hook => ({
  name: "command_risk",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: async ({ arguments: { command, folder } }) => {
    if (typeof command !== "string") return { action: "DENY", reason: "there is no command to check" };
    const classify = await classifier();
    const { verdict, reasons } = classify(command, classifyOptions(places, folder));
    switch (verdict) {
      case "allow":
        return { action: "ALLOW" };
      case "confirm":
        return {
          action: "ASK",
          code: "risk",
          reason: describeReasons(reasons),
          kinds: [...new Set(reasons.map((reason) => reason.code))],
          // A list of the maximum length may lack a destructive reason.
          once: reasons.length >= MAX_REASONS || reasons.some((reason) => DESTRUCTIVE.has(reason.code)),
          prefix: reasons.every((reason) => APPLIES_TO_PREFIX.has(reason.code)),
        };
      case "block":
        return { action: "DENY", reason: `this never runs, whoever approves it. ${describeReasons(reasons)}` };
    }
  },
});

/** Asks for approval if the argument `network` is set. A sandboxed command has no network without it. */
export const networkApproval = (filter_names: readonly string[]): Hook => ({
  name: "network_approval",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: ({ arguments: { network } }) =>
    network === undefined || network === false
      ? { action: "ALLOW" }
      : { action: "ASK", code: "risk", reason: "The command gets access to the network, this server included." },
});

export const classifyOptions = (places: CommandPlaces | undefined, folder: unknown): ClassifyOptions => ({
  ...(places ? { workspace: places.workspace, closed: places.closed } : {}),
  ...(typeof folder === "string" ? { folder } : {}),
});

const describeReasons = (reasons: readonly RiskReason[]): string =>
  reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(({ code, excerpt }) => `${RISKS[code].meaning} (${excerpt})`)
    .join(" ");
