// Exports the worker without extensions, and the classes of its Durable Objects.
import { createCloudflare } from "./create-cloudflare.ts";

const { handler, ...objects } = createCloudflare();

export const { PawlThread, PawlDirectory } = objects;
export default handler;
