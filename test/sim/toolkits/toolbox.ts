// The real toolkits of a simulated process.
import type { Clock } from "../../../src/ports/clock.ts";
import type { ChannelSettings } from "../../../src/ports/data/channel-settings.ts";
import type { DocumentStore } from "../../../src/ports/documents.ts";
import { basics } from "../../../src/toolkits/basics/toolkit.ts";
import { calendar } from "../../../src/toolkits/calendar/toolkit.ts";
import { channels } from "../../../src/toolkits/channels/toolkit.ts";
import { memory } from "../../../src/toolkits/memory/toolkit.ts";
import { timetable } from "../../../src/toolkits/timetable/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { unwrap } from "../../support/runtime.ts";
import { createToolboxPool } from "../cast/toolbox-pool.ts";
import { DESKTOP_APP } from "./outside.ts";

type ToolOwner = { readonly clock: Clock; readonly documents: DocumentStore };
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
  const parts = { clock, documents, channels: { group: GROUP } };
  unwrap(plugToolkits(toolbox, [basics, calendar, timetable, memory, channels], parts));
  return toolbox;
});
