// Creates new ids, which are globally unique, and sorted by age if the clock is monotonic.
import type { IdPrefix } from "../schema/ids.ts";

export interface Ids {
  /** Returns `<prefix>_` and 26 characters. */
  make(prefix: IdPrefix): string;
}
