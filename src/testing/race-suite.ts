// Lists races on one thread as plain data, to run against a runtime on your own store. The runner chooses the sizes; the invariants are fixed.
import { answerCases } from "./race-suite/answers.ts";
import { confirmationCases } from "./race-suite/confirmations.ts";
import type { RaceCase } from "./race-suite/target.ts";
import { turnCases } from "./race-suite/turns.ts";

export { createRaceTarget } from "./race-suite/store-target.ts";
export type { RaceAnswer, RaceCall, RaceCase, RaceProcess, RaceSizes, RaceTarget } from "./race-suite/target.ts";

export const raceSuite: readonly RaceCase[] = [...turnCases, ...answerCases, ...confirmationCases];
