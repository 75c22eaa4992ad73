// The key of the caller, kept for this tab only and sent as a header, never in an address.
const NAME = "pawl-key";

export const readKey = (): string | null => sessionStorage.getItem(NAME);
export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
export const forgetKey = (): void => sessionStorage.removeItem(NAME);
