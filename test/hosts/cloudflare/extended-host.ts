// A worker with its own toolkit, as a user of `pawl/cloudflare` writes it.
import * as extend from "../../../examples/07-toolkit.ts";
import { createCloudflare } from "../../../src/hosts/cloudflare/cloudflare.ts";

const pawl = createCloudflare({ extend });

export const { PawlThread, PawlDirectory } = pawl;
export default pawl.handler;
