// Races on one thread as plain data, for a runtime on your own store. The runner chooses the sizes, not the invariants.
import { answerCases } from "./race-suite/answers.ts";
import { confirmationCases } from "./race-suite/confirmations.ts";
import type { RaceCase } from "./race-suite/target.ts";
import { turnCases } from "./race-suite/turns.ts";

export { createRaceTarget } from "./race-suite/store-target.ts";
export type { RaceAnswer, RaceCall, RaceCase, RaceProcess, RaceSizes, RaceTarget } from "./race-suite/target.ts";

export const raceSuite: readonly RaceCase[] = [...turnCases, ...answerCases, ...confirmationCases];
