// Loads and compiles what the first event needs while the instance initializes. During initialization Lambda provides a
// full processor; afterwards, only a share in proportion to the memory.
import { createLambdaHost } from "./host.ts";

/** A host without keys refuses to start, and the real keys may not be known yet because they come from the secret. */
const warmUpKeys = (): string => `warm-up:warm-up:pawl_${crypto.randomUUID().replaceAll("-", "")}`;
const REMAINING_MS = 60_000;

/** Creates a separate host without extensions, sends it one request that reads no data, and drops it. */
export async function warmUp(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const own = { ...env, TABLE_NAME: "warm-up", PAWL_API_KEYS: warmUpKeys() };
    const host = await createLambdaHost(own, REMAINING_MS, {}, true);
    if (host.ok) await host.value.app.request("http://127.0.0.1/healthz", { headers: { host: "127.0.0.1" } });
  } catch {
    // Errors are ignored because the first event loads the code again and reports them.
  }
}
