// The turns of a workflow, loaded with the first one: most processes run none, and its parsers of YAML and templates are large.

export async function loadWorkflowTurns() {
  const [{ deliverRole }, { pokeHead, restartWorkflow, resumeRole }] = await Promise.all([
    import("./deliver-role.ts"),
    import("./resume.ts"),
  ]);
  return { deliverRole, pokeHead, restartWorkflow, resumeRole };
}
