// Gives a thread a title that stays, whatever the goals of its later runs.
import { ok, type Result } from "../schema/problem.ts";
import type { Advanced } from "../turn/advance.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { changeState } from "./change-state.ts";

export const renameThread = (rt: Runtime, request: TurnRequest, title: string): Promise<Result<Advanced>> =>
  changeState(rt, request, (state) =>
    ok(state.title === title ? null : { state: { title }, entry: { renamed: title } }),
  );
