// The Durable Object that stores lists, settings and documents. `rows` calls a method of `DirectoryRows` by name.
import { DurableObject } from "cloudflare:workers";
import { type DirectoryRows, directoryRows } from "../../adapters/store-durable-object/directory-rows.ts";

export class PawlDirectory extends DurableObject {
  #rows: DirectoryRows | null = null;

  async rows(method: keyof DirectoryRows, args: readonly unknown[]): Promise<unknown> {
    this.#rows ??= directoryRows(this.ctx.storage);
    return (this.#rows[method] as (...given: readonly unknown[]) => unknown)(...args);
  }
}
