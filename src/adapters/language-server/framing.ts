// Checks that the bytes from a language server are messages. The connection would buffer anything else and search the
// whole buffer again for each byte.
const HEADER_CHARS_MAX = 1_024;

/** The function takes the bytes in order. It returns false if they are no message, or one of more than `max` bytes. */
export function createFraming(max: number): (bytes: Uint8Array) => boolean {
  let header = "";
  let left = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left > 0) {
        const taken = Math.min(left, bytes.length - at);
        left -= taken;
        at += taken;
        continue;
      }
      header += String.fromCharCode(bytes[at] ?? 0);
      at += 1;
      if (header.length > HEADER_CHARS_MAX) return false;
      if (!header.endsWith("\r\n\r\n")) continue;
      const length = /^content-length: *(\d{1,12})\r$/im.exec(header)?.[1];
      if (length === undefined || Number(length) > max) return false;
      left = Number(length);
      header = "";
    }
    return true;
  };
}
