// Creates ids that sort by age: time, a counter within the millisecond, randomness. The order is guaranteed within one
// process only.
import { randomBytes as cryptoBytes } from "node:crypto";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const COUNTER_CHARS = 3;
const RANDOM_CHARS = 13;
const BUFFER_BYTES = 64 * RANDOM_CHARS;
const COUNTER_MAX = 32 ** COUNTER_CHARS - 1;

function toBase32(value: number, chars: number): string {
  let text = "";
  for (let rest = value; text.length < chars; rest = Math.floor(rest / 32)) text = ALPHABET.charAt(rest % 32) + text;
  return text;
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
  let counter = 0;

  const advanceTime = (): void => {
    const now = clock.now();
    if (now > time) {
      time = now;
      counter = 0;
      return;
    }
    // The clock did not advance or was set back: increment the counter, and borrow the next millisecond when it is
    // full.
    counter += 1;
    if (counter <= COUNTER_MAX) return;
    time += 1;
    counter = 0;
  };

  return {
    make(prefix) {
      advanceTime();
      let random = "";
      for (const byte of randomBytes(RANDOM_CHARS)) random += ALPHABET.charAt(byte & 31);
      return `${prefix}_${toBase32(time, TIME_CHARS)}${toBase32(counter, COUNTER_CHARS)}${random}`;
    },
  };
}
