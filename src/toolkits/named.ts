// Provides agents and toolkits by name, for hosts that do not load all toolkits.

/** The agents of hosts that configure none. The default agent can reach the sample goal of the README. */
export const SAMPLE_AGENTS = {
  default: { toolkits: ["timetable"] },
  planner: { toolkits: ["calendar"] },
};

/** The toolkits of the first release. Every thread of that release had all of them. */
export const FIRST_RELEASE_TOOLKITS: readonly string[] = ["basics", "files", "shell", "web", "timetable", "automation"];
