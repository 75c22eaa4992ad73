// The real toolkits of a simulated process. Their tools are made once and reused between processes and histories: deriving the schemas
// costs more than a history.
import type { Clock } from "../../../src/ports/clock.ts";
import type { ChannelSettings } from "../../../src/ports/data/channel-settings.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import { basics } from "../../../src/toolkits/basics/toolkit.ts";
import { calendar } from "../../../src/toolkits/calendar/toolkit.ts";
import { channels } from "../../../src/toolkits/channels/toolkit.ts";
import { memory } from "../../../src/toolkits/memory/toolkit.ts";
import { timetable } from "../../../src/toolkits/timetable/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox, type Toolbox } from "../../../src/tools/toolbox.ts";
import { unwrap } from "../../support/runtime.ts";
import { DESKTOP_APP } from "./outside.ts";

type ToolOwner = { readonly clock: Clock; readonly documents: DocumentStore };
type PooledToolbox = { readonly toolbox: Toolbox; owner: ToolOwner; free: boolean };

const pool: PooledToolbox[] = [];

const GROUP: ChannelSettings = {
  ...{ kind: "desktop", target: DESKTOP_APP, reply: { enabled: true } },
  ...{ watermark: "none", suffix: "", wait_s: 20 },
};

export function borrowToolbox(owner: ToolOwner): Toolbox {
  const found = pool.find(({ free }) => free) ?? build(owner);
  found.free = false;
  found.owner = owner;
  return found.toolbox;
}

export function returnToolboxes(): void {
  for (const pooled of pool) pooled.free = true;
}

function build(first: ToolOwner): PooledToolbox {
  const lease = { owner: first, free: true };
  const clock: Clock = {
    now: () => lease.owner.clock.now(),
    sleep: (ms, signal) => lease.owner.clock.sleep(ms, signal),
  };
  const documents: DocumentStore = {
    load: (at) => lease.owner.documents.load(at),
    save: (at, value, over) => lease.owner.documents.save(at, value, over),
    copy: (from, to) => lease.owner.documents.copy(from, to),
    remove: (at) => lease.owner.documents.remove(at),
    close: () => lease.owner.documents.close(),
  };
  const toolbox = createToolbox([]);
  const parts = { clock, documents, channels: { group: GROUP } };
  unwrap(plugToolkits(toolbox, [basics, calendar, timetable, memory, channels], parts));
  const pooled = Object.assign(lease, { toolbox });
  pool.push(pooled);
  return pooled;
}
