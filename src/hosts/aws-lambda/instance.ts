// One instance of the function: the host is made by the first event and kept, until the secret behind it changes.
import type { Environment } from "../shared/config.ts";
import { createLambdaHost, type LambdaHost, type LambdaOptions } from "./host.ts";
import { withSecrets } from "./secrets.ts";

/** A key that was taken away is refused after this time and the extension's own cache, without a deployment. */
const LOOK_AGAIN_MS = 60_000;

type Made = { readonly env: Environment; readonly host: LambdaHost };

export type Instance = (ends_in_ms: number) => Promise<LambdaHost>;

export function createInstance(given: Environment, options: LambdaOptions, now = Date.now): Instance {
  let making: Promise<Made> | null = null;
  let looked = 0;

  async function make(ends_in_ms: number): Promise<Made> {
    const env = await withSecrets(given);
    if (!env.ok) throw new Error(`${env.problem.code}: ${env.problem.message} ${env.problem.hint}`);
    const host = await createLambdaHost(env.value, ends_in_ms, options);
    if (!host.ok) throw new Error(`${host.problem.code}: ${host.problem.message} ${host.problem.hint}`);
    return { env: env.value, host: host.value };
  }

  /** What cannot be read now changes nothing: whoever was let in before still is, and nobody else. */
  async function refresh(made: Made, ends_in_ms: number): Promise<Made> {
    const env = await withSecrets(given);
    if (env.ok && JSON.stringify(env.value) === JSON.stringify(made.env)) return made;
    try {
      if (!env.ok) throw new Error(env.problem.message);
      return await make(ends_in_ms);
    } catch (error) {
      made.host.log.error({ msg: "the secret could not be read again", error: String(error) });
      return made;
    }
  }

  return async (ends_in_ms) => {
    const isOld = now() - looked >= LOOK_AGAIN_MS;
    if (making === null) {
      looked = now();
      making = make(ends_in_ms);
    } else if (isOld && given.PAWL_SECRET_ID) {
      looked = now();
      making = making.then((made) => refresh(made, ends_in_ms));
    }
    const mine = making;
    try {
      return (await mine).host;
    } catch (error) {
      // A failure is not kept: the next event tries again.
      if (making === mine) making = null;
      throw error;
    }
  };
}
