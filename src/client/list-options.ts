// Defines the options of the lists of threads and gates.
export type PageOptions = { readonly limit?: number; readonly cursor?: string };

export type ListOptions = PageOptions & {
  /**
   * `activity` lists the threads that were changed last first, if the store supports this. The `order` field of the
   * page is the order that was used.
   */
  readonly order?: "created" | "activity";
  readonly state?: string;
  readonly status?: "waiting" | "active" | "failed" | "idle";
  readonly agent?: string;
  /**
   * Text that the goal or the title must contain. A page can be short even if more matches follow; continue with its
   * cursor.
   */
  readonly q?: string;
};
