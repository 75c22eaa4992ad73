// The length of a text in UTF-8 bytes, as stores and providers count it.
const encoder = new TextEncoder();

/** Buffer counts the bytes without creating them, but browsers have no Buffer. */
export const byteLength: (text: string) => number =
  typeof Buffer === "undefined" ? (text) => encoder.encode(text).length : (text) => Buffer.byteLength(text);

/** A UTF-16 unit takes one to three bytes, so most texts are decided by their length alone. */
export const exceedsBytes = (text: string, max: number): boolean =>
  text.length * 3 > max && (text.length > max || byteLength(text) > max);
