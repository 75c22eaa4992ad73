// What any command could do, whatever its name: asked of every simple command beside the rule of its program.
import type { Scope, SimpleCommand } from "../model.ts";
import type { RiskCode } from "../reasons.ts";
import { closedPathRisks } from "./closed-paths.ts";
import { runsArgumentRisks } from "./exec.ts";
import { installRisks } from "./installs.ts";
import { namedSecretRisks } from "./named-secrets.ts";
import { networkWordRisks } from "./network.ts";
import { outsideRisks } from "./outside.ts";
import { processRisks } from "./processes.ts";

// Wrappers inside wrappers are asked about the same words again and again; nobody reads as many either.
export const MAX_ARGUMENTS = 1_000;

/** May it reach closed places or other processes, run what a word says, write outside, send what was computed? */
export function capabilityRisks(command: SimpleCommand, scope: Scope): readonly RiskCode[] {
  if (command.args.length > MAX_ARGUMENTS) return ["too_long"];
  return [
    ...closedPathRisks(command, scope),
    ...processRisks(command),
    ...runsArgumentRisks(command),
    ...namedSecretRisks(command),
    ...networkWordRisks(command),
    ...outsideRisks(command, scope),
    ...installRisks(command),
  ];
}
