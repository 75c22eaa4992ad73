// What any command could do, whatever its name: checked for every simple command in addition to the rule of its program.
import type { Scope, SimpleCommand } from "../model.ts";
import type { RiskCode } from "../reasons.ts";
import { closedPathRisks } from "./closed-paths.ts";
import { runsArgumentRisks } from "./exec.ts";
import { installRisks } from "./installs.ts";
import { namedSecretRisks } from "./named-secrets.ts";
import { networkWordRisks } from "./network.ts";
import { outsideRisks } from "./outside.ts";
import { processRisks } from "./processes.ts";

// Bounds the work: nested wrappers check the same words repeatedly. A person would not read a longer command either.
export const MAX_ARGUMENTS = 1_000;

/**
 * Reports if the command can reach protected paths or other processes, run an argument as code, write outside the
 * workspace, or send computed data.
 */
export function capabilityRisks(command: SimpleCommand, scope: Scope): readonly RiskCode[] {
  if (command.args.length > MAX_ARGUMENTS) return ["too_long"];
  return [
    ...closedPathRisks(command, scope),
    ...processRisks(command),
    ...runsArgumentRisks(command),
    ...namedSecretRisks(command, scope),
    ...networkWordRisks(command),
    ...outsideRisks(command, scope),
    ...installRisks(command),
  ];
}
