// What lists of threads and gates can be asked for.
export type PageOptions = { readonly limit?: number; readonly cursor?: string };

export type ListOptions = PageOptions & {
  readonly state?: string;
  readonly status?: "waiting" | "active" | "failed" | "idle";
  readonly agent?: string;
  /** Part of the goal or the title. A page may be short although its cursor continues the search. */
  readonly q?: string;
};
