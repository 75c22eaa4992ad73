// Pairs the same line in the patch and in the file. Style differences are learned from such pairs.
export type LinePair = { readonly old: string; readonly file: string };
