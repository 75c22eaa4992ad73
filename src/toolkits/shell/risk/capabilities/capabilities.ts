// Finds the risks that any program can pose through its arguments. They are checked for every simple command, in
// addition to the rule for its program.
import type { RiskContext, SimpleCommand } from "../model.ts";
import type { RiskCode } from "../reasons.ts";
import { closedPathRisks } from "./closed-paths.ts";
import { runsArgumentRisks } from "./exec.ts";
import { installRisks } from "./installs.ts";
import { namedSecretRisks } from "./named-secrets.ts";
import { networkWordRisks } from "./network.ts";
import { outsideRisks } from "./outside.ts";
import { processRisks } from "./processes.ts";

// Bounds the work, because every nested wrapper checks the same words again.
export const MAX_ARGUMENTS = 1_000;

export function capabilityRisks(command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  if (command.args.length > MAX_ARGUMENTS) return ["too_long"];
  return [
    ...closedPathRisks(command, context),
    ...processRisks(command),
    ...runsArgumentRisks(command),
    ...namedSecretRisks(command, context),
    ...networkWordRisks(command),
    ...outsideRisks(command, context),
    ...installRisks(command),
  ];
}
