// Creates ids that sort by age. An id contains the time, a counter within the millisecond, and random bits. The order
// is guaranteed within one process only.
import { randomBytes as cryptoBytes } from "node:crypto";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const COUNTER_CHARS = 3;
const RANDOM_CHARS = 13;
const BUFFER_BYTES = 64 * RANDOM_CHARS;
const COUNTER_MAX = 32 ** COUNTER_CHARS - 1;

/** All pairs of characters, so that an id is joined from fewer parts. */
const PAIRS = Array.from({ length: 32 ** 2 }, (_, i) => ALPHABET.charAt(i >> 5) + ALPHABET.charAt(i & 31));

function toBase32(value: number, chars: number): string {
  let text = "";
  for (let rest = value; text.length < chars; rest = Math.floor(rest / 32)) text = ALPHABET.charAt(rest % 32) + text;
  return text;
}

function randomText(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i + 1 < bytes.length; i += 2)
    text += PAIRS[(((bytes[i] ?? 0) & 31) << 5) | ((bytes[i + 1] ?? 0) & 31)];
  return text + ALPHABET.charAt((bytes[bytes.length - 1] ?? 0) & 31);
}

/** Requesting a few random bytes costs as much as requesting many, so they are buffered. No byte is used twice. */
function bufferedRandomBytes(): (size: number) => Uint8Array {
  let buffer = new Uint8Array();
  let offset = 0;
  return (size) => {
    if (offset + size > buffer.length) {
      buffer = cryptoBytes(BUFFER_BYTES);
      offset = 0;
    }
    offset += size;
    return buffer.subarray(offset - size, offset);
  };
}

/**
 * Every id gets a new random part. Incrementing it, as ULIDs do, would make the next id of the same millisecond
 * guessable, and some ids are secret tickets.
 */
export function createIds(clock: Clock, randomBytes: (size: number) => Uint8Array = bufferedRandomBytes()): Ids {
  let time = 0;
  let time_text = toBase32(time, TIME_CHARS);
  let counter = 0;
  const setTime = (ms: number): void => {
    time = ms;
    time_text = toBase32(time, TIME_CHARS);
    counter = 0;
  };

  const advanceTime = (): void => {
    const now = clock.now();
    if (now > time) {
      setTime(now);
      return;
    }
    // The clock did not advance or was set back, so the counter is incremented. A full counter borrows the next
    // millisecond.
    counter += 1;
    if (counter > COUNTER_MAX) setTime(time + 1);
  };

  return {
    make(prefix) {
      advanceTime();
      return `${prefix}_${time_text}${toBase32(counter, COUNTER_CHARS)}${randomText(randomBytes(RANDOM_CHARS))}`;
    },
  };
}
