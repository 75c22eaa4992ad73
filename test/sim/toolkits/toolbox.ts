// Provides the real toolkits of a simulated process.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { ChannelSettings } from "../../../src/ports/data/channel-settings.ts";
import type { DataSource, JudgeStatement } from "../../../src/ports/data/data-source.ts";
import type { McpServer } from "../../../src/ports/data/mcp-server.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import type { Schedules } from "../../../src/ports/schedules.ts";
import { ok } from "../../../src/schema/problem.ts";
import { basics } from "../../../src/toolkits/basics/toolkit.ts";
import { calendar } from "../../../src/toolkits/calendar/toolkit.ts";
import { channels } from "../../../src/toolkits/channels/toolkit.ts";
import { data } from "../../../src/toolkits/data/toolkit.ts";
import { mcpToolkit } from "../../../src/toolkits/mcp/toolkit.ts";
import { memory } from "../../../src/toolkits/memory/toolkit.ts";
import { timetable } from "../../../src/toolkits/timetable/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { unwrap } from "../../support/runtime.ts";
import { createToolboxPool } from "../cast/toolbox-pool.ts";
import { DESKTOP_APP } from "./outside.ts";
import { REPORT_TOOL, type ServicePorts, SHOP } from "./services.ts";

export type ToolOwner = {
  readonly clock: Clock;
  readonly documents: DocumentStore;
  readonly services: ServicePorts;
  /** Set once the process has started. */
  schedules: Schedules | null;
};
const GROUP: ChannelSettings = {
  ...{ kind: "desktop", target: DESKTOP_APP, reply: { enabled: true } },
  ...{ watermark: "none", suffix: "", wait_s: 20 },
};

export const TOOLKITS = createToolboxPool<ToolOwner>((owner) => {
  const clock: Clock = { now: () => owner().clock.now(), sleep: (ms, signal) => owner().clock.sleep(ms, signal) };
  const documents: DocumentStore = {
    load: (at) => owner().documents.load(at),
    save: (at, value, over) => owner().documents.save(at, value, over),
    copy: (from, to) => owner().documents.copy(from, to),
    remove: (at) => owner().documents.remove(at),
    close: () => owner().documents.close(),
  };
  const toolbox = createToolbox([]);
  const judge: JudgeStatement = (...args) => owner().services.judge(...args);
  const databases = { sources: [{ ...SHOP, source: sourceOf(() => owner().services.source) }], judge };
  const parts = { clock, documents, channels: { group: GROUP }, schedules: schedulesOf(owner), data: databases };
  const desk = mcpToolkit({
    ...{ name: "desk", server: serverOf(() => owner().services.mcp), hash: nodeHash },
    ...{ read_only: false, timeout_ms: 5_000 },
  });
  unwrap(plugToolkits(toolbox, [basics, calendar, timetable, memory, channels, data, desk], parts));
  void desk.refresh();
  return toolbox;
});

function schedulesOf(owner: () => ToolOwner): Schedules {
  const port = (): Schedules => {
    const { schedules } = owner();
    if (!schedules) throw new Error("the process has not started");
    return schedules;
  };
  return {
    check: async (...args) => port().check?.(...args) ?? ok(null),
    create: (...args) => port().create(...args),
    list: (...args) => port().list(...args),
    remove: (...args) => port().remove(...args),
  };
}

const sourceOf = (port: () => DataSource): DataSource => ({
  read: (...args) => port().read(...args),
  tables: (...args) => port().tables(...args),
});

const serverOf = (port: () => McpServer): McpServer => ({
  list: async () => ok([REPORT_TOOL]),
  call: (...args) => port().call(...args),
  close: async () => undefined,
});
