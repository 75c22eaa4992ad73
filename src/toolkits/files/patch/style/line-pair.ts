// A line as the patch has it and the same line as the file has it: what a writing habit is learned from.
export type LinePair = { readonly old: string; readonly file: string };
