// How a phrase for a date or time is read, in any language.

/** Minutes of the day. Only `from`: a time. With `to`, which may be on a later day: a range. Neither: the whole day. */
export type TimeOfDay = { readonly from?: number; readonly to?: number };
/** An instant, or a local time on the day that begins at a midnight (local times count as if the clock showed UTC). */
export type PhraseReading = { readonly at: number } | ({ readonly day: number } & TimeOfDay);
/** Null: there is no date or time in the text. `text` is the part that was read. */
export type ReadPhrase = (
  text: string,
  clock: { readonly now: number; readonly local: number },
) => { readonly text: string; readonly readings: readonly PhraseReading[] } | null;
