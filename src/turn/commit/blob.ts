// A text that is too large for a record, stored under its hash.
export type Blob = { readonly hash: string; readonly text: string };
