// The contract of `Operations`, which access a workspace, for any test runner. Each case gets an empty workspace.
import { fileCases } from "./operations/files.ts";
import type { OperationsCase } from "./operations/helpers.ts";
import { outsidePathCases } from "./operations/outside-paths.ts";
import { searchCases } from "./operations/search.ts";

export const operationsContract: readonly OperationsCase[] = [...fileCases, ...outsidePathCases, ...searchCases];
