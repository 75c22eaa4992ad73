// Defines the contract of every workspace as plain cases. Each case gets operations on its own empty workspace.
import { fileCases } from "./operations/files.ts";
import type { OperationsCase } from "./operations/helpers.ts";
import { outsidePathCases } from "./operations/outside-paths.ts";
import { searchCases } from "./operations/search.ts";

export const operationsContract: readonly OperationsCase[] = [...fileCases, ...outsidePathCases, ...searchCases];
