// The shape of a case of the contract for stores of threads.
import type { ThreadStore } from "../../ports/thread-store.ts";

/**
 * Gives a new handle on the same data at every call; the data is empty when a case begins. Whoever runs the case
 * closes the handles after it, also those that the case has closed itself.
 */
export type OpenStore = () => Promise<ThreadStore>;

/** Passes by resolving, fails by rejecting with an error that says what was expected. */
export type ContractCase = { readonly name: string; readonly run: (open: OpenStore) => Promise<void> };
