// The shape of a case in the thread store contract.
import type { ThreadStore } from "../../ports/thread-store.ts";

/**
 * Returns a new handle on the same data on every call; the data is empty when a case begins. The runner closes the
 * handles afterwards, including those that the case has closed itself.
 */
export type OpenStore = () => Promise<ThreadStore>;

/** Passes by resolving, fails by rejecting with an error that states the expectation. */
export type ContractCase = { readonly name: string; readonly run: (open: OpenStore) => Promise<void> };
