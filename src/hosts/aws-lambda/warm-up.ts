// Loads and compiles what the first event needs while the instance initializes. Until then Lambda provides a whole processor, and
// afterwards only a share in proportion to the memory.
import { createLambdaHost } from "./host.ts";

/** An unused key: the host refuses to start without one, and the real ones may come with the secret. */
const warmUpKeys = (): string => `warm-up:warm-up:pawl_${crypto.randomUUID().replaceAll("-", "")}`;
const REMAINING_MS = 60_000;

/**
 * A host of its own, without the tools of an extension, answers one request that reads no data. The host is dropped afterwards. What goes
 * wrong here is reported by the first event.
 */
export async function warmUp(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const own = { ...env, TABLE_NAME: "warm-up", PAWL_API_KEYS: warmUpKeys() };
    const host = await createLambdaHost(own, REMAINING_MS, {}, true);
    if (host.ok) await host.value.app.request("http://127.0.0.1/healthz", { headers: { host: "127.0.0.1" } });
  } catch {
    // An error is ignored here, because the first event loads the code again and reports it.
  }
}
