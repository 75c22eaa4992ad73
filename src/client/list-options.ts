// Defines the options of the lists of threads and gates.
export type PageOptions = { readonly limit?: number; readonly cursor?: string };

export type ListOptions = PageOptions & {
  /**
   * The order. With `activity`, the threads changed last come first if the store supports it; the page returns the
   * actual `order`.
   */
  readonly order?: "created" | "activity";
  readonly state?: string;
  readonly status?: "waiting" | "active" | "failed" | "idle";
  readonly agent?: string;
  /** A part of the goal or the title. A page may be short even if its cursor continues the search. */
  readonly q?: string;
};
