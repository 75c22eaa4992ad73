// The key of the caller, kept for this tab only and sent as a header, never in an address.
const STORAGE_KEY = "pawl-key";

export const readKey = (): string | null => sessionStorage.getItem(STORAGE_KEY);
export const storeKey = (key: string): void => sessionStorage.setItem(STORAGE_KEY, key);
export const clearKey = (): void => sessionStorage.removeItem(STORAGE_KEY);
