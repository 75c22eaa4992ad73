// Runs as a separate process that measures the memory of one turn whose tool outputs 100 MB. The argument is a folder.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createLocalOperationLog } from "../../src/adapters/operation-log-local/operation-log.ts";
import { createLocalOperations } from "../../src/adapters/operations-local/local-operations.ts";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import { fileTools } from "../../src/toolkits/all.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { createRedactor, redactionHooks } from "../../src/tools/redaction/redact.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { createTestRuntime, createTestThread, unwrap } from "./runtime.ts";

const [folder = "", kind = "stream"] = process.argv.slice(2);
const BYTES = 104_857_600;
const PIECE = `${"all work and no play ".repeat(3_120)}`.padEnd(65_535, ".").concat("\n");

const drip = defineTool(
  { name: "drip", description: "Drips.", input: z.object({}), streaming: true, timeout_ms: 110_000 },
  async function* () {
    for (let sent = 0; sent < BYTES; sent += PIECE.length) yield PIECE;
  },
);
const local = unwrap(createLocalOperations({ root: folder, search: createLinearSearch(), process: {} }));
const call =
  kind === "stream"
    ? { name: "drip", arguments: {} }
    : { name: "bash", arguments: { command: `head -c ${BYTES} /dev/zero`, timeout_s: 110 } };
const rt = {
  ...createTestRuntime([{ action: "continue", speak: "On it.", tool_call: call }], [drip, ...fileTools(() => local)], {
    hooks: redactionHooks(createRedactor(["correct horse battery staple"])),
    operation_log: createLocalOperationLog(join(folder, "operations")),
    config: { ...DEFAULT_CONFIG, parts: ["files", "process"] },
  }),
  clock: systemClock,
};
// The first command loads this module, which is not part of the measurement.
await import("../../src/toolkits/shell/risk/classify.ts");
const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
const before = process.memoryUsage().rss;
let peak = before;
let pieces = 0;
const emit = (): void => {
  pieces += 1;
  peak = Math.max(peak, process.memoryUsage().rss);
};
const advanced = unwrap(await thread.turn(null, { emit }));
const entry = advanced.records.at(-1)?.entry;
const expected = createHash("sha256");
for (let sent = 0; sent < BYTES; sent += PIECE.length)
  expected.update(kind === "stream" ? PIECE : Buffer.alloc(PIECE.length));
console.log(
  JSON.stringify({
    grown_mb: Math.round((peak - before) / 1_048_576),
    pieces,
    operation: entry?.operation,
    receipt: entry?.receipts.at(-1),
    expected: expected.digest("hex"),
    shown: entry?.observation?.text.length,
    thread: thread.at.thread,
  }),
);
