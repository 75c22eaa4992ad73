// The Cloudflare host with a directory that does not take the first few words about any thread.
import { PawlDirectory as Directory } from "../../src/hosts/worker/directory-object.ts";
import worker from "../../src/hosts/worker.ts";

export { PawlThread } from "../../src/hosts/worker/thread-object.ts";

let refused = 0;

export class PawlDirectory extends Directory {
  override async rows(...call: Parameters<Directory["rows"]>): Promise<unknown> {
    if (call[0] === "putMeta" && refused++ < 2) throw new Error("The directory is away.");
    return super.rows(...call);
  }
}

export default worker;
