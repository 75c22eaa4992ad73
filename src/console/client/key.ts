// The caller's API key. Stored for this tab only and sent as a header, never in a URL.
const STORAGE_KEY = "pawl-key";

export const readKey = (): string | null => sessionStorage.getItem(STORAGE_KEY);
export const storeKey = (key: string): void => sessionStorage.setItem(STORAGE_KEY, key);
export const clearKey = (): void => sessionStorage.removeItem(STORAGE_KEY);
