// The options of the lists of threads and gates.
export type PageOptions = { readonly limit?: number; readonly cursor?: string };

export type ListOptions = PageOptions & {
  /** `activity`: last changed first, if the store has this order; `order` of the page says so. */
  readonly order?: "created" | "activity";
  readonly state?: string;
  readonly status?: "waiting" | "active" | "failed" | "idle";
  readonly agent?: string;
  /** Part of the goal or the title. A page may be short although its cursor continues the search. */
  readonly q?: string;
};
