// Message [0] as it was built before, with its hash: the same tools, mode and instructions are worded once.
import type { Hash } from "../ports/hash.ts";
import type { Manifest } from "../schema/manifest.ts";
import type { Mode } from "../schema/thread.ts";
import { buildSystem, type System } from "./system.ts";

/** Agents times modes times switched tools that a process has at hand; of more the ones asked for last. */
const SYSTEMS_MAX = 32;

export type Systems = {
  /** Tools are compared by identity: a manifest is never changed, only replaced by another. */
  readonly build: (hash: Hash, tools: readonly Manifest[], mode: Mode, instructions: string | null) => System;
};

type Built = {
  readonly tools: readonly Manifest[];
  readonly mode: Mode;
  readonly instructions: string | null;
  readonly system: System;
};

export function createSystems(max = SYSTEMS_MAX): Systems {
  /** The newest last. */
  const built: Built[] = [];
  return {
    build(hash, tools, mode, instructions) {
      const at = built.findLastIndex(
        (one) => one.mode === mode && one.instructions === instructions && sameTools(one.tools, tools),
      );
      const held = built[at];
      if (held && at === built.length - 1) return held.system;
      if (held) built.splice(at, 1);
      const system = held?.system ?? buildHashed(hash, tools, mode, instructions);
      built.push(held ?? { tools, mode, instructions, system });
      if (built.length > max) built.shift();
      return system;
    },
  };
}

function buildHashed(hash: Hash, tools: readonly Manifest[], mode: Mode, instructions: string | null): System {
  const system = buildSystem(tools, mode, instructions);
  return { ...system, hash: hash.sha256(system.text) };
}

const sameTools = (a: readonly Manifest[], b: readonly Manifest[]): boolean =>
  a.length === b.length && a.every((tool, i) => tool === b[i]);
