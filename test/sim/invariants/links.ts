// I14: a link answers its gate once, with the clicked decision, and only for a recipient of the link.
import type { Evidence } from "../evidence.ts";

export function linksAreSingleUse({ threads, clientRequests, jobs }: Evidence): readonly string[] {
  if (!jobs) return [];
  const answered = new Map<string, string>();
  return threads.flatMap(({ at, records }) =>
    records.flatMap(({ version, entry }) => {
      if (!entry.actor.startsWith("link:") || entry.input?.type !== "confirm") return [];
      const { gate_id, decision } = entry.input;
      const where = `record ${version} of ${at.thread}`;
      const before = answered.get(gate_id);
      if (before !== undefined && before !== entry.commit_id && entry.closed_gate?.id === gate_id)
        return [`I14 the link to ${gate_id} was used twice, again in ${where}`];
      answered.set(gate_id, entry.commit_id);
      const clicked = clientRequests.some(
        ({ request }) => request.kind === "api" && request.gate?.id === gate_id && request.gate.decision === decision,
      );
      const sent = jobs.facts.posts.some(({ tenant, body }) => tenant === at.tenant && body.includes(gate_id));
      return clicked && sent ? [] : [`I14 no client clicked ${decision} for ${gate_id} in ${where}`];
    }),
  );
}
