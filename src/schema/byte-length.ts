// The length of a text in UTF-8 bytes, as stores and providers count it. TextEncoder, because a browser has no Buffer.
const encoder = new TextEncoder();

export const byteLength = (text: string): number => encoder.encode(text).length;

/** A UTF-16 unit takes one to three bytes, so most texts are decided by their length alone. */
export const exceedsBytes = (text: string, max: number): boolean =>
  text.length * 3 > max && (text.length > max || byteLength(text) > max);
