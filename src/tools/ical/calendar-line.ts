// Text from a calendar file as one short line. The text is untrusted and could change the reading direction.
import { truncateChars } from "../truncate-text.ts";

export const calendarLine = (text: string, max: number): string =>
  truncateChars(
    text
      .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
      .trim(),
    max,
  );
