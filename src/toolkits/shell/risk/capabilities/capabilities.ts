// Checks what any command could do, whatever its name. This applies to every simple command in addition to the rule of
// its program.
import type { Scope, SimpleCommand } from "../model.ts";
import type { RiskCode } from "../reasons.ts";
import { closedPathRisks } from "./closed-paths.ts";
import { runsArgumentRisks } from "./exec.ts";
import { installRisks } from "./installs.ts";
import { namedSecretRisks } from "./named-secrets.ts";
import { networkWordRisks } from "./network.ts";
import { outsideRisks } from "./outside.ts";
import { processRisks } from "./processes.ts";

// Limits the work, because nested wrappers check the same words repeatedly. No person would read a longer command
// either.
export const MAX_ARGUMENTS = 1_000;

/**
 * Returns the risks of a command that can reach protected paths or other processes, run an argument as code, write
 * outside the workspace, or send computed data.
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
