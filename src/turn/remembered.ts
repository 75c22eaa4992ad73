// What this process worked out before. The same input gives the same again, so losing it costs time and nothing else.
import { createRowsRead, type RowsRead } from "../migrate/rows-read.ts";
import { createSystems, type Systems } from "../prompt/systems.ts";

export type Remembered = { readonly rows: RowsRead; readonly systems: Systems };

export const createRemembered = (): Remembered => ({ rows: createRowsRead(), systems: createSystems() });
