// How large races are: the promised size, or as many as fit into the test command where every step is a request.
import type { RaceSizes } from "../../src/testing/race-suite.ts";

export const FULL_SIZES: RaceSizes = { callers: 64, approvers: 32, rounds: 200, mutations: 5000 };

/** `npm run races -- --full` wants all of them. */
export const raceSizes = (quick: RaceSizes): RaceSizes => (process.env.PAWL_RACES === "full" ? FULL_SIZES : quick);
