// Provides common decisions for scripted models.
export const plan = (...steps: readonly string[]) => ({
  action: "plan_done",
  speak: "A plan.",
  plan_steps: steps.map((content) => ({ content, needs: "any" })),
});
export const callTool = (name: string, args: Record<string, unknown>, action = "continue") => ({
  action,
  speak: `Using ${name}.`,
  tool_call: { name, arguments: args },
});
export const ask = (speak: string) => ({ action: "ask_user", speak });
export const nextStep = { action: "next_plan", goal_check: "done with this one" };
export const done = { action: "done", goal_check: "all there" };
export const answer = (speak: string) => ({ action: "answer", speak });
