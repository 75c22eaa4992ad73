// Scripts model replies that move one task of the sample semester: plan, query, propose and deliver.
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";

export const PLAN: ScriptEntry = {
  action: "plan_done",
  speak: "I will look at the week, then move the essay outline to Thursday.",
  plan_steps: [
    {
      content: "See where the essay outline is and what Thursday has free",
      needs: "observation",
      done_when: "the current position and a free slot are known",
    },
    { content: "Move the essay outline to Thursday", needs: "write", done_when: "the calendar shows it on Thursday" },
  ],
};

export const QUERY: ScriptEntry = {
  action: "continue",
  speak: "Let me see what Thursday looks like.",
  tool_call: { name: "query_range", arguments: { day: 4 } },
};

export const NEXT: ScriptEntry = {
  action: "next_plan",
  speak: "Thursday has room in slots 9 and 10.",
  goal_check: "query_range shows slots 9 to 12 free on day 4.",
};

export const MOVE: ScriptEntry = {
  action: "confirm",
  speak: "Move “Essay outline” from Monday to Thursday, slots 9 and 10?",
  tool_call: { name: "move", arguments: { task_id: 13, new_day: 4, new_slot_start: 9 } },
};

export const DONE: ScriptEntry = {
  action: "done",
  speak: "It is on Thursday now.",
  goal_check: "The move succeeded and the calendar shows it on day 4.",
};

export const DELIVERY: ScriptEntry =
  "The essay outline is now on Thursday 10 September, slots 9 and 10. Nothing else moved.";

export const STORY: readonly ScriptEntry[] = [PLAN, QUERY, NEXT, MOVE, DONE, DELIVERY];
