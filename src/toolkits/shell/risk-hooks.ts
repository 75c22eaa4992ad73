// Defines the hook for risky commands. A person must confirm them, and a few never run. The hook is part of the bash
// tool and can guard other tools by name.
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

/**
 * Loads a classifier on demand, so that a process that starts for a single turn does not load one that it may never
 * use.
 */
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

/** Returns the classification options for a command in a folder of the workspace. */
export const classifyOptions = (places: CommandPlaces | undefined, folder: unknown): ClassifyOptions => ({
  ...(places ? { workspace: places.workspace, closed: places.closed } : {}),
  ...(typeof folder === "string" ? { folder } : {}),
});

const describeReasons = (reasons: readonly RiskReason[]): string =>
  reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(({ code, excerpt }) => `${RISKS[code].meaning} (${excerpt})`)
    .join(" ");
