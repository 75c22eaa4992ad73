// Orders the test files so that the slowest start first and none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longRank } from "./long-tests.ts";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The sort is stable, so other files keep vitest's order. `groupOrder` decides which project comes first.
    return sorted.sort((a, b) => longRank(a.moduleId) - longRank(b.moduleId));
  }
}
