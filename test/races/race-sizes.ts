// Defines the sizes of races: the documented size, or a smaller one for the test command if every step is a request.
import type { RaceSizes } from "../../src/testing/race-suite.ts";
import { testSize } from "../support/test-size.ts";

const FULL_SIZES: RaceSizes = { callers: 64, approvers: 32, rounds: 200, mutations: 5000 };

/** Returns the documented size for `npm run races -- --full`, and otherwise the sample. */
export const raceSizes = (sample: RaceSizes): RaceSizes => testSize({ sample, full: FULL_SIZES });
