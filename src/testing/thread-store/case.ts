// A case of the thread store contract.
import type { ThreadStore } from "../../ports/thread-store.ts";

/** A new handle on the same data on every call. The data is empty when a case begins. The runner closes all handles. */
export type OpenStore = () => Promise<ThreadStore>;

/** Passes by resolving and fails by rejecting with an error that states the expectation. */
export type ContractCase = { readonly name: string; readonly run: (open: OpenStore) => Promise<void> };
