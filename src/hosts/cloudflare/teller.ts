// Keeps the directory told of one thread, one word after another, each with the rows as they are then: the last is the
// newest. Nobody waits long for a directory that hangs; the object's alarm sees to it that it is told in the end.
import {
  owesWait,
  type Tables,
  type Told,
  tellLists,
  tellWait,
} from "../../adapters/store-durable-object/tell-directory.ts";
import type { ThreadAt } from "../../schema/ids.ts";

/** Lists mostly show a change with the reply; a directory that takes longer is not waited for again until it answers. */
const PATIENCE_MS = 1_000;

export type Teller = {
  /** Tells what is owed. */
  readonly tell: (at: ThreadAt) => Promise<void>;
  /** Also that something is due later than the directory believes, or not at all. */
  readonly refresh: (at: ThreadAt) => Promise<void>;
};

export type TellerParts = {
  readonly told: () => Told;
  readonly tables: () => Tables;
  /** Something was told: the alarm may wait longer, or there is nothing left of the thread. */
  readonly onTold: () => Promise<void>;
  readonly onBug: (at: ThreadAt, error: unknown) => void;
};

export const owesDirectory = (tables: Tables): boolean => tables.self.owed() !== null || owesWait(tables);

export function createTeller({ told, tables, onTold, onBug }: TellerParts): Teller {
  let line: Promise<void> = Promise.resolve();
  let late = false;

  const one = async (at: ThreadAt, all: boolean): Promise<void> => {
    const held = tables();
    const gone = held.rows.head() === null;
    if (!all && !owesDirectory(held)) return;
    try {
      await tellLists(told(), held, at);
      if (all || owesWait(held) || (gone && held.self.toldWait() !== null)) await tellWait(told(), held, at);
      await onTold();
    } catch (error) {
      // The turn is stored, and that is what counts; the alarm tells again.
      onBug(at, error);
    }
  };
  const put = (at: ThreadAt, all: boolean): Promise<void> => {
    line = line.then(() => one(at, all));
    return late ? Promise.resolve() : soon(line);
  };
  const soon = async (telling: Promise<void>): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), PATIENCE_MS);
    });
    late = await Promise.race([telling.then(() => false), over]);
    clearTimeout(timer);
    if (late) {
      telling.then(() => {
        late = false;
      });
    }
  };
  return { tell: (at) => put(at, false), refresh: (at) => put(at, true) };
}
