// Checks whether commands can run in bubblewrap here by trying it, because many containers have the program but forbid
// namespaces.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { openSandbox } from "../../src/hosts/node/command-sandbox.ts";
import { BashConfig } from "../../src/schema/toolkits/bash-config.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-probe-"));
const opened = openSandbox({
  bash: BashConfig.parse({}),
  workspace: folder,
  data: folder,
  providers: {},
  data_sources: {},
  skills: { folder: null },
  closed: [],
});
rmSync(folder, { recursive: true });

if (!opened.ok) console.log(`The sandbox tests are skipped. ${opened.problem.message} (apt-get install bubblewrap)`);
export const describeInSandbox = opened.ok ? describe : describe.skip;
