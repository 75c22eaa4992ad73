// Provides files that are stored in the thread itself, for hosts without a disk.
import { createVirtualOperations } from "../../adapters/operations-virtual/virtual-operations.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { lazySearch as search } from "./lazy-adapters.ts";

export const virtualFiles: OperationsFor = ({ own }) => createVirtualOperations({ store: own.files, search });
