// A line of the patch and the same line of the file. Style differences are learned from such pairs.
export type LinePair = { readonly old: string; readonly file: string };
