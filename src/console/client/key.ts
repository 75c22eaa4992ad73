// Stores the caller's API key, for this tab only. It is sent as a header and never in a URL.
const STORAGE_KEY = "pawl-key";

export const readKey = (): string | null => sessionStorage.getItem(STORAGE_KEY);
export const storeKey = (key: string): void => sessionStorage.setItem(STORAGE_KEY, key);
export const clearKey = (): void => sessionStorage.removeItem(STORAGE_KEY);
