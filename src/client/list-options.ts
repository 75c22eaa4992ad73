// Defines the options of the lists of threads and gates.
export type PageOptions = { readonly limit?: number; readonly cursor?: string };

export type ListOptions = PageOptions & {
  /** `activity` lists the threads changed last first, if the store supports it. The `order` of the page is the actual one. */
  readonly order?: "created" | "activity";
  readonly state?: string;
  readonly status?: "waiting" | "active" | "failed" | "idle";
  readonly agent?: string;
  /** A part of the goal or the title. A page may be short even if its cursor continues the search. */
  readonly q?: string;
};
