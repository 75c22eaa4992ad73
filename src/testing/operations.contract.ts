// What every place with files must do, as plain cases: each gets operations on a workspace of its own that is empty.
import { fileCases } from "./operations/files.ts";
import type { OperationsCase } from "./operations/helpers.ts";
import { outsidePathCases } from "./operations/outside-paths.ts";
import { searchCases } from "./operations/search.ts";

export const operationsContract: readonly OperationsCase[] = [...fileCases, ...outsidePathCases, ...searchCases];
