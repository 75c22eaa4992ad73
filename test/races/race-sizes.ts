// The sizes of races: the documented size, or a smaller one for the test command where every step is a request.
import type { RaceSizes } from "../../src/testing/race-suite.ts";
import { testSize } from "../support/test-size.ts";

const FULL_SIZES: RaceSizes = { callers: 64, approvers: 32, rounds: 200, mutations: 5000 };

/** `npm run races -- --full` runs the documented size. */
export const raceSizes = (sample: RaceSizes): RaceSizes => testSize({ sample, full: FULL_SIZES });
