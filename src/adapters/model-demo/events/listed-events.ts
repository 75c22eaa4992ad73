// Events as list_events shows them, and which of them a request names.
export type ListedEvent = {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  /** Null for a whole day or a deadline. */
  readonly clock: string | null;
  /** Null if it does not end on the same day. */
  readonly minutes: number | null;
  readonly repeats: boolean;
};

const LINE =
  /^- \w{3} (\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?(?:–(\d\d:\d\d))?[^:\n]*?(?:\d\d:\d\d)?: (deadline )?"?(.*?)"?((?: \([^)]*\))?) \[(e[^\]]+)\]$/gm;

export const eventsIn = (text: string): ListedEvent[] =>
  [...text.matchAll(LINE)].flatMap(([, date = "", clock, end, deadline, title = "", tags = "", id = ""]) =>
    deadline
      ? []
      : [{ id, title, date, clock: clock ?? null, minutes: lengthOf(clock, end), repeats: tags.includes("repeats") }],
  );

/** The events with the lines that show them. */
export const linesOf = (text: string): (ListedEvent & { readonly line: string })[] =>
  text.split("\n").flatMap((line) => eventsIn(line).map((event) => ({ ...event, line })));

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const lengthOf = (from: string | undefined, to: string | undefined): number | null =>
  from !== undefined && to !== undefined ? minuteOf(to) - minuteOf(from) : null;

/** The start of an event, moved by minutes. */
export function shifted({ date, clock }: ListedEvent, minutes: number): string | null {
  if (clock === null) return null;
  const at = Date.parse(`${date}T${clock}:00Z`) + minutes * 60_000;
  return new Date(at).toISOString().slice(0, 16);
}

/** Today's date, as the calendar reports it. */
export const todayIn = (text: string): string | null => /Now: \w{3} (\d{4}-\d\d-\d\d)/.exec(text)?.[1] ?? null;

/** Events whose title the request contains, the longest title first; those on `date` if it has some there. */
export function eventsNamed<E extends ListedEvent>(events: readonly E[], request: string, date: string | null): E[] {
  const text = normal(request);
  const named = events.filter(({ title }) => text.includes(normal(title)));
  const longest = Math.max(0, ...named.map(({ title }) => title.length));
  const best = named.filter(({ title }) => title.length === longest);
  const there = best.filter((one) => one.date === date);
  return there.length > 0 ? there : best;
}

const normal = (text: string): string => text.toLowerCase().replace(/[-\s]+/g, " ");

/** The event that a request names by its id in brackets, as the console does. */
export function eventById(request: string): ListedEvent | null {
  const [, id, date = ""] = /\[(e\d+@(\d{4}-\d\d-\d\d)[^\]\s]*)\]/.exec(request) ?? [];
  return id ? { id, date, title: "", clock: null, minutes: null, repeats: false } : null;
}
