// Exports pawl/testing for adapter authors: contracts as plain data, for any test runner.
export { type CrashReport, type CrashRow, type CrashSubject, crashMatrix, crashTable } from "./crash-matrix.ts";
export { type DocumentCase, documentStoreContract, type OpenDocuments } from "./document-store.contract.ts";
export { explainList, type ListOperation } from "./linearizable.ts";
export type { OperationsCase } from "./operations/helpers.ts";
export { operationsContract } from "./operations.contract.ts";
export {
  createRaceTarget,
  type RaceAnswer,
  type RaceCall,
  type RaceCase,
  type RaceProcess,
  type RaceSizes,
  type RaceTarget,
  raceSuite,
} from "./race-suite.ts";
export { type OpenSettings, type SettingsCase, settingsStoreContract } from "./settings-store.contract.ts";
export { type ContractCase, type OpenStore, threadStoreContract } from "./thread-store.contract.ts";
