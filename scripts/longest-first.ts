// The order of the test files: those that take longest begin first, so that none of them is left alone at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longRank } from "./long-tests.ts";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Stable: what is not known to be long stays as vitest has it. Which project comes first is said by its groupOrder.
    return sorted.sort((a, b) => longRank(a.moduleId) - longRank(b.moduleId));
  }
}
