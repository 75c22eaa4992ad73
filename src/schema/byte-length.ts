// Measures the length of a string in UTF-8 bytes, as stores and providers count it.
const encoder = new TextEncoder();

/** Buffer counts bytes without encoding the text, but browsers have no Buffer. */
export const byteLength: (text: string) => number =
  typeof Buffer === "undefined" ? (text) => encoder.encode(text).length : (text) => Buffer.byteLength(text);

/** A UTF-16 unit takes one to three bytes, so for most strings the number of units decides. */
export const exceedsBytes = (text: string, max: number): boolean =>
  text.length * 3 > max && (text.length > max || byteLength(text) > max);
