// Toolkits that are meant by name, for hosts that do not load all toolkits.

/**
 * The agents where none are configured. The default one can do what the sample goal of the README asks for, the other one works on a
 * calendar with real times.
 */
export const SAMPLE_AGENTS = {
  default: { toolkits: ["timetable"] },
  planner: { toolkits: ["calendar"] },
};

/** Threads of the first release had all toolkits that there were. */
export const FIRST_RELEASE_TOOLKITS: readonly string[] = ["basics", "files", "shell", "web", "timetable", "automation"];
