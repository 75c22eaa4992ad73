// Defines the contract of `Operations`, which access a workspace, as cases for any test runner. Each case gets operations on a separate empty
// workspace.
import { fileCases } from "./operations/files.ts";
import type { OperationsCase } from "./operations/helpers.ts";
import { outsidePathCases } from "./operations/outside-paths.ts";
import { searchCases } from "./operations/search.ts";

export const operationsContract: readonly OperationsCase[] = [...fileCases, ...outsidePathCases, ...searchCases];
