// Days and weekdays of local times, which are milliseconds as if the clock showed UTC.
export const MS_PER_DAY = 86_400_000;
export const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
export const weekdayOf = (local: number): number => (((Math.floor(local / MS_PER_DAY) + 4) % 7) + 7) % 7;
export const startOfDay = (local: number): number => Math.floor(local / MS_PER_DAY) * MS_PER_DAY;
