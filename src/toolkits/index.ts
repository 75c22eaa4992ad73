// Lists the toolkits, for all hosts. A new toolkit is a folder and a line here.
import type { Toolkit } from "../tools/toolkit.ts";
import { automation } from "./automation/toolkit.ts";
import { basics } from "./basics/toolkit.ts";
import { calendar } from "./calendar/toolkit.ts";
import { channels } from "./channels/toolkit.ts";
import { code } from "./code/toolkit.ts";
import { crew } from "./crew/toolkit.ts";
import { data } from "./data/toolkit.ts";
import { files } from "./files/toolkit.ts";
import { images } from "./images/toolkit.ts";
import { memory } from "./memory/toolkit.ts";
import { powershell } from "./shell/powershell-toolkit.ts";
import { processes } from "./shell/processes-toolkit.ts";
import { shell } from "./shell/toolkit.ts";
import { skills } from "./skills/toolkit.ts";
import { timetable } from "./timetable/toolkit.ts";
import { web } from "./web/toolkit.ts";

// Creates one toolkit for each MCP server of the configuration, so it is not in the list.
export { type McpToolkit, mcpToolkit } from "./mcp/toolkit.ts";

export const TOOLKITS: readonly Toolkit[] = [
  basics,
  files,
  shell,
  web,
  timetable,
  automation,
  data,
  calendar,
  memory,
  skills,
  code,
  processes,
  powershell,
  channels,
  images,
  crew,
];
