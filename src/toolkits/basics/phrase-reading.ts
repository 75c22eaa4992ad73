// Defines the result of reading a date or time phrase in any language.
/** Minutes since midnight. `from` alone is a time, with `to` (maybe on a later day) a range, and neither is a whole day. */
export type TimeOfDay = { readonly from?: number; readonly to?: number };
/** An instant, or a time on the day that begins at `day`: a local midnight in milliseconds, as if the clock showed UTC. */
export type PhraseReading = { readonly at: number } | ({ readonly day: number } & TimeOfDay);
/** Null if the phrase contains no date or time. The returned `text` is the part that was understood. */
export type ReadPhrase = (
  text: string,
  clock: { readonly now: number; readonly local: number },
) => { readonly text: string; readonly readings: readonly PhraseReading[] } | null;
