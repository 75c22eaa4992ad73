// Defines a case of the thread store contract.
import type { ThreadStore } from "../../ports/thread-store.ts";

/**
 * Returns a new handle on the same data on every call. The data is empty when a case begins. The runner closes the handles afterwards, including
 * those that the case has closed itself.
 */
export type OpenStore = () => Promise<ThreadStore>;

/** A case. It passes by resolving and fails by rejecting with an error that states the expectation. */
export type ContractCase = { readonly name: string; readonly run: (open: OpenStore) => Promise<void> };
