// Loads the code for workflows when the first one runs, because most processes run none, and the parsers of YAML and templates are large.
export async function loadWorkflowTurns() {
  const [{ deliverRole }, { pokeHead, restartWorkflow, resumeRole }] = await Promise.all([
    import("./deliver-role.ts"),
    import("./resume.ts"),
  ]);
  return { deliverRole, pokeHead, restartWorkflow, resumeRole };
}
