// New names for things: unique for ever, and sorted by age where the clock behaves.
import type { IdPrefix } from "../schema/ids.ts";

export interface Ids {
  /** `<prefix>_` and 26 characters. */
  make(prefix: IdPrefix): string;
}
