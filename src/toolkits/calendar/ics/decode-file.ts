// Decodes the bytes of an iCalendar file. The standard lets programs fold a line inside a character, so some files are
// valid UTF-8 only after they are unfolded.

const [CR, LF, SPACE, TAB] = [13, 10, 32, 9];

/** Returns null if the bytes are not UTF-8. */
export function decodeIcs(bytes: Uint8Array): string | null {
  return decode(bytes) ?? decode(joinCharacters(bytes));
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const continuesCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Removes folds inside a character, which are those followed by a continuation byte. */
function joinCharacters(bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const fold = bytes[i] === CR && bytes[i + 1] === LF ? 3 : bytes[i] === LF || bytes[i] === CR ? 2 : 0;
    const isFold = fold > 0 && (bytes[i + fold - 1] === SPACE || bytes[i + fold - 1] === TAB);
    if (isFold && continuesCharacter(bytes[i + fold])) i += fold - 1;
    else joined[length++] = bytes[i] ?? 0;
  }
  return joined.subarray(0, length);
}
