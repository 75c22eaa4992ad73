// I27: a title is one that a client requested, stays until the next one, and is stored if its request succeeded.
import type { Evidence } from "../evidence.ts";

export function titlesStay({ threads, clientRequests }: Evidence): readonly string[] {
  const renames = clientRequests.flatMap(({ request, tries }) => {
    const [, thread] = request.kind === "api" && request.method === "PATCH" ? (PATH.exec(request.path) ?? []) : [];
    if (request.kind !== "api" || thread === undefined || request.other_tenant) return [];
    const { title } = JSON.parse(request.body ?? "{}") as { readonly title: string };
    return [{ tenant: request.tenant, thread, title, done: tries.some(({ response }) => response?.code === "ok") }];
  });
  return threads.flatMap(({ at, records }) => {
    let title: string | undefined;
    const wrong = records.flatMap(({ version, entry, state }) => {
      if (entry.renamed !== undefined) title = entry.renamed;
      return title !== undefined && state.title !== title
        ? [`I27 record ${version} of ${at.thread} has the title ${state.title}, not ${title}`]
        : [];
    });
    const given = new Set(records.flatMap(({ entry }) => entry.renamed ?? []));
    // The first records of a fork come from another thread.
    const asked = new Set(renames.flatMap((one) => (one.tenant === at.tenant ? one.title : [])));
    const unasked = [...given].filter((one) => !asked.has(one));
    const lost = renames.filter(
      (one) => one.thread === at.thread && one.tenant === at.tenant && one.done && !given.has(one.title),
    );
    return [
      ...wrong,
      ...unasked.map((one) => `I27 ${at.thread} was renamed to ${one}, which nobody asked for`),
      ...lost.map((one) => `I27 ${at.thread} was to be renamed to ${one.title}, and was not`),
    ];
  });
}

const PATH = /^\/v1\/threads\/(thr_\w+)$/;
