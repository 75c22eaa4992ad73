// The contract of every thread store, as plain data for any test runner. A case for a method that a store does not have
// does nothing.
import { activityCases } from "./thread-store/activity.ts";
import { appendCases } from "./thread-store/append.ts";
import { atomicRowCases } from "./thread-store/atomic-rows.ts";
import { blobCases } from "./thread-store/blobs.ts";
import type { ContractCase } from "./thread-store/case.ts";
import { createAndLoadCases } from "./thread-store/create-and-load.ts";
import { forkCases } from "./thread-store/fork.ts";
import { handleCases } from "./thread-store/handles.ts";
import { listCases } from "./thread-store/list.ts";
import { newestCases } from "./thread-store/newest.ts";
import { outboxCases } from "./thread-store/outbox.ts";
import { raceCases } from "./thread-store/races.ts";
import { recordCases } from "./thread-store/records.ts";
import { removeCases } from "./thread-store/remove.ts";
import { sizeCases } from "./thread-store/sizes.ts";
import { snapshotCases } from "./thread-store/snapshot.ts";
import { tenantCases } from "./thread-store/tenants.ts";
import { textCases } from "./thread-store/text.ts";

export type { ContractCase, OpenStore } from "./thread-store/case.ts";

export const threadStoreContract: readonly ContractCase[] = [
  ...createAndLoadCases,
  ...newestCases,
  ...appendCases,
  ...raceCases,
  ...atomicRowCases,
  ...recordCases,
  ...listCases,
  ...activityCases,
  ...sizeCases,
  ...textCases,
  ...blobCases,
  ...tenantCases,
  ...removeCases,
  ...outboxCases,
  ...handleCases,
  ...snapshotCases,
  ...forkCases,
];
