// Defines the result of reading a date or time phrase in any language.

/**
 * Minutes since midnight. With only `from`, the value is a time; with `to`, which may be on a later day, it is a range;
 * with neither, it is the whole day.
 */
export type TimeOfDay = { readonly from?: number; readonly to?: number };
/**
 * An instant, or a time on the day that begins at `day`, a local midnight in milliseconds as if the clock showed UTC.
 */
export type PhraseReading = { readonly at: number } | ({ readonly day: number } & TimeOfDay);
/**
 * Reads a phrase, and returns null if it contains no date or time. The returned `text` is the part of the phrase that
 * was understood.
 */
export type ReadPhrase = (
  text: string,
  clock: { readonly now: number; readonly local: number },
) => { readonly text: string; readonly readings: readonly PhraseReading[] } | null;
